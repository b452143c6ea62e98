"""Markdown to HTML pieces: what chapters, exercises and the glossary share."""

import re
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import unquote

from practice.chapters.chapter import Question
from practice.chapters.diagram import draw
from practice.chapters.figures import check_svg
from practice.chapters.finding import Finding
from practice.chapters.scan import anchor_of
from practice.render.highlight import highlight
from practice.render.math import MathError, to_mathml


@dataclass(frozen=True)
class Link:
    """A link to another page of the site, to be checked when all pages are known."""

    line: int
    kind: str
    """chapter, exercise, term, page or anchor."""
    target: str
    """File name of a chapter, name of an exercise, slug of a term, name of a page of site/pages; "" for this page."""
    anchor: str = ""
    """What stands after the `#`: an anchor, or the state a page reads from its address."""


@dataclass
class Source:
    """The Markdown being rendered, and what rendering it found."""

    file: str
    text: str
    offset: int
    """Lines of the file before the text."""
    folder: Path
    """Where its figures lie."""
    findings: list[Finding]
    figures: dict[int, list[dict]] = field(default_factory=dict)
    """Drawn by blocks, by the line of the block."""
    values: dict[int, str] = field(default_factory=dict)
    """Expression of each computed number, by its index: `(=3)` in the text is the value 3."""
    questions: dict[int, Question] = field(default_factory=dict)
    top: int = 0
    """Level of the highest heading on the page, to which the text's own are shifted; 0 leaves them."""
    prefix: str = ""
    """Put before each anchor, where two texts share a page."""
    links: list[Link] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    """Files that were read besides the text."""
    count: int = 0
    """SVG pictures so far; their ids are made different by it."""

    def complain(self, line: int, message: str, hint: str = "") -> None:
        self.findings.append(Finding(self.file, line, message, hint))

    def line_of(self, token) -> int:
        return (token.map[0] if token.map else 0) + 1 + self.offset


@cache
def parser():
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    md = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    md.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    md.core.ruler.push("site", prepare)
    for name, rule in RULES.items():
        md.add_render_rule(name, rule)
    return md


def parse(source: Source) -> list:
    """Tokens of the text, with the site's links, anchors and classes in place."""
    return parser().parse(source.text, {"source": source})


def render(tokens: list, source: Source) -> str:
    md = parser()
    return md.renderer.render(tokens, md.options, {"source": source})


def render_text(source: Source) -> str:
    return render(parse(source), source)


def prepare(state) -> None:
    """Walks all tokens once: headings get anchors, cells classes, links their targets."""
    source: Source = state.env["source"]
    levels = [int(token.tag[1]) for token in state.tokens if token.type == "heading_open"]
    shift = source.top - min(levels) if source.top and levels else 0
    for index, token in enumerate(state.tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + shift)}"
        if token.type == "heading_open":
            token.attrSet("id", source.prefix + anchor_of(state.tokens[index + 1].content))
        elif token.type in ("th_open", "td_open") and token.attrGet("style"):
            # A style attribute is forbidden by the page's policy.
            token.attrSet("class", str(token.attrs.pop("style")).removeprefix("text-align:"))
        elif token.type == "inline":
            for child in token.children or ():
                if child.type == "link_open":
                    direct_link(child, token, source)
                elif child.type in ("math_inline", "math_inline_double") or child.type == "image":
                    child.meta["line"] = source.line_of(token)
            if len(token.children or ()) == 1 and token.children[0].type == "image":
                state.tokens[index - 1].hidden = state.tokens[index + 1].hidden = True


def direct_link(child, token, source: Source) -> None:
    """Gives a link its target: `ref:kind:target#anchor` for our own pages, resolved when the page is made."""
    href = unquote(str(child.attrGet("href") or ""))
    line = exact_line(href, token, source)
    if href.startswith("="):
        return
    if href.startswith(("https://", "http://", "mailto:")):
        child.attrSet("rel", "noopener")
        return
    path, _, anchor = href.partition("#")
    scheme, colon, name = path.partition(":")
    if colon and scheme in ("exercise", "term", "page"):
        link = Link(line, scheme, name, anchor)
    elif re.fullmatch(r"\d+-[a-z0-9-]+\.md", path):
        link = Link(line, "chapter", path, anchor)
    elif not path and anchor:
        link = Link(line, "anchor", "", anchor)
    else:
        hint = "write 02-numbers.md#anchor, exercise:184, term:goodput, page:lab, #anchor or a full https:// address"
        source.complain(line, f"the link {href!r} leads nowhere", hint)
        return
    source.links.append(link)
    child.attrSet("href", f"#{anchor}" if link.kind == "anchor" else f"ref:{link.kind}:{link.target}" + (f"#{anchor}" if anchor else ""))


def exact_line(href: str, token, source: Source) -> int:
    """The line of the paragraph that holds this address."""
    start, end = token.map or (0, 1)
    lines = source.text.split("\n")[start:end]
    return source.offset + 1 + start + next((index for index, line in enumerate(lines) if href in line), 0)


def rule_fence(renderer, tokens, index, options, env) -> str:
    token, source = tokens[index], env["source"]
    words = token.info.split()
    language, flags = (words[0] if words else ""), words[1:]
    if language == "output":
        return f'<pre class="output"><samp>{escape(token.content)}</samp></pre>\n'
    if language == "diagram":
        return rule_diagram(token, source)
    code = f'<pre class="code"><code>{highlight(token.content, language)}</code></pre>\n'
    if "folded" in flags:
        first = next((line for line in token.content.split("\n") if line.strip()), "")
        code = f'<details class="folded"><summary><span>Code</span> <code>{escape(first.strip())}</code></summary>{code}</details>\n'
    figures = source.figures.get(source.line_of(token), ())
    return code + "".join(figure_html(item["svg"], item["caption"], source) for item in figures)


def rule_diagram(token, source: Source) -> str:
    try:
        return figure_html(draw(token.content), "", source)
    except ValueError as error:
        source.complain(source.line_of(token), f"this diagram cannot be drawn: {error}", "see docs/chapters.md, Figures")
        return ""


def figure_html(svg: str, caption: str, source: Source) -> str:
    source.count += 1
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure><div class="picture">{own_ids(svg, f"{source.prefix}f{source.count}-")}</div>{below}</figure>\n'


def own_ids(svg: str, prefix: str) -> str:
    """The SVG with ids no other picture of the page has."""
    svg = re.sub(r"<\?xml.*?\?>\s*|<!DOCTYPE.*?>\s*|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}\1"', svg)
    return re.sub(r'aria-(labelledby|describedby)="([^"]+)"', lambda m: f'aria-{m[1]}="{" ".join(prefix + i for i in m[2].split())}"', svg)


def rule_image(renderer, tokens, index, options, env) -> str:
    token, source = tokens[index], env["source"]
    line, name, words = token.meta.get("line", 0), str(token.attrGet("src")), token.content
    path = source.folder / unquote(name)
    if not words.strip():
        source.complain(line, f"the picture {name} has no description", "say in a sentence what it shows, between the square brackets")
    if not name.endswith(".svg") or not path.is_file():
        source.complain(line, f"there is no picture {name}", "pictures are SVG files in the folder figures/ beside the text")
        return ""
    source.files.append(path)
    svg = path.read_text(encoding="utf-8")
    reason = check_svg(svg)
    if reason and not reason.startswith("it has no"):
        source.complain(line, f"the page cannot take {name}: {reason}", "see docs/chapters.md, Figures")
    if reason == "it has no <title>":
        svg = re.sub(r"<svg\b", f'<svg role="img" aria-label="{escape(words)}"', svg, count=1)
    return figure_html(svg, "", source)


def rule_math(renderer, tokens, index, options, env) -> str:
    token, source = tokens[index], env["source"]
    display = token.type != "math_inline"
    line = token.meta.get("line") or source.line_of(token)
    try:
        return ('<div class="math">{}</div>\n' if token.block else "{}").format(to_mathml(token.content, display))
    except MathError as error:
        source.complain(line, str(error))
        return ""


def rule_link_open(renderer, tokens, index, options, env) -> str:
    token = tokens[index]
    href = unquote(str(token.attrGet("href") or ""))
    if not href.startswith("="):
        return renderer.renderToken(tokens, index, options, env)
    closing = next(i for i in range(index, len(tokens)) if tokens[i].type == "link_close")
    tokens[closing].meta["value"] = True
    number = href[1:]
    expression = env["source"].values.get(int(number), "") if number.isdigit() else ""
    return f'<span class="value" title="Computed: {escape(expression)}">'


def rule_link_close(renderer, tokens, index, options, env) -> str:
    return "</span>" if tokens[index].meta.get("value") else "</a>"


def rule_table_open(renderer, tokens, index, options, env) -> str:
    return '<div class="table"><table>\n'


def rule_table_close(renderer, tokens, index, options, env) -> str:
    return "</table></div>\n"


RULES = {
    "fence": rule_fence,
    "code_block": lambda renderer, tokens, index, options, env: f'<pre class="code"><code>{escape(tokens[index].content)}</code></pre>\n',
    "image": rule_image,
    "math_inline": rule_math,
    "math_inline_double": rule_math,
    "math_block": rule_math,
    "math_block_label": rule_math,
    "link_open": rule_link_open,
    "link_close": rule_link_close,
    "table_open": rule_table_open,
    "table_close": rule_table_close,
}
