"""TeX to MathML at build time."""

import re
from functools import lru_cache

# latex2mathml sets these wrong without a word: the & and \\ come out as text. Their starred outer forms come out right.
REWRITTEN = {"aligned": "align*", "gathered": "gather*", "alignedat": "align*"}


class MathError(ValueError):
    """A formula that cannot be set."""


@lru_cache(maxsize=4096)
def to_mathml(tex: str, display: bool) -> str:
    """MathML of a formula. Raises MathError with the reason where it would come out wrong."""
    from latex2mathml.converter import convert

    source = tex.strip()
    if re.sub(r"\\[{}]", "", source).count("{") != re.sub(r"\\[{}]", "", source).count("}"):
        raise MathError(f"the formula {source!r} has braces that do not pair")
    for name, right in REWRITTEN.items():
        source = source.replace(f"\\begin{{{name}}}", f"\\begin{{{right}}}").replace(f"\\end{{{name}}}", f"\\end{{{right}}}")
    if "gather*" in source:
        # A gather has no & of its own; as an align with nothing to align it is centred, and its lines are kept.
        source = source.replace("gather*", "align*")
    try:
        result = convert(source, display="block" if display else "inline")
    except Exception as error:  # the converter raises whatever it stumbles over
        raise MathError(f"the formula {tex.strip()!r} cannot be read: {type(error).__name__} {error}".rstrip()) from error
    result = re.sub(r"&(?!#?\w+;)", "&amp;", result)
    leaked = re.search(r"<m[io][^>]*>\s*(&amp;|&#x00026;|&#x0005C;|\\[^<]*)\s*</m[io]>", result)
    if leaked:
        raise MathError(
            f"the formula {tex.strip()!r} would show {leaked.group(1)!r} as text; write it with \\begin{{align*}}, or more simply"
        )
    return without_styles(result)


def without_styles(mathml: str) -> str:
    """The pages allow no style attributes; MathML says the same with its own attributes."""
    return re.sub(r'\sstyle="[^"]*"', "", mathml)
