"""Source text to HTML with colours, at build time."""

from functools import cache, lru_cache
from html import escape

# Names authors use that Pygments does not know.
PLAIN = {"", "text", "output", "txt"}


@lru_cache(maxsize=4096)
def highlight(source: str, language: str) -> str:
    """HTML of the source, classes only; escaped and plain where the language is not known."""
    if language in PLAIN:
        return escape(source)
    from pygments import highlight as colour

    lexer = lexer_of(language)
    return colour(source, lexer, formatter()) if lexer else escape(source)


@cache
def formatter():
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(nowrap=True, classprefix="k-")


@cache
def lexer_of(language: str):
    """The lexer, or None for a language that Pygments does not know."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None
