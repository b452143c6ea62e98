"""What a chapter's block calls to show a figure: `figure(svg, caption="...")`."""

import re

FORBIDDEN = (
    (re.compile(r"<script\b", re.IGNORECASE), "a <script>"),
    (re.compile(r"<style\b", re.IGNORECASE), "a <style> element"),
    (re.compile(r"\sstyle\s*=", re.IGNORECASE), "a style= attribute"),
    (re.compile(r"\son[a-z]+\s*=", re.IGNORECASE), "an event handler"),
    (re.compile(r"<foreignObject\b", re.IGNORECASE), "a <foreignObject>"),
    (re.compile(r"(?:href|src)\s*=\s*[\"'](?!#)", re.IGNORECASE), "a link to elsewhere"),
)


def check_svg(svg: str) -> str:
    """The reason why the page cannot take this SVG, or ""."""
    if not isinstance(svg, str) or "<svg" not in svg:
        return "it is not SVG text"
    if not re.search(r"<title[^>]*>\s*\S", svg):
        return "it has no <title>"
    if not re.search(r"<desc[^>]*>\s*\S", svg):
        return "it has no <desc>"
    return next((f"it holds {name}" for pattern, name in FORBIDDEN if pattern.search(svg)), "")


def figure(svg: str, caption: str) -> None:
    """Shows an SVG figure: in a notebook at once; the site's builder puts another function in its place.

    svg: text with a <title> and a <desc>, without scripts and styles. caption: one sentence.
    Raises ValueError with the reason when the page cannot take it.
    """
    reason = check_svg(svg)
    if reason:
        raise ValueError(f"this figure cannot be shown: {reason}")
    try:
        from IPython.display import HTML, display
    except ImportError:
        print(f"[figure: {caption}]")
        return
    display(HTML(f"<figure>{svg}<figcaption>{caption}</figcaption></figure>"))
