"""Markdown for a terminal: the question, hints, the after-talk, and code."""

import re
from collections.abc import Iterator

from practice.cli.style import Style
from practice.kernel.exercise import Exercise

THEME = {
    "markdown.code": "cyan",
    "markdown.table.header": "bold",
    "markdown.table.border": "dim",
    **{f"markdown.h{level}": "bold" for level in range(1, 7)},
}
"""Colours that are readable on a light and on a dark terminal; rich's own put a black box around code."""


def question(exercise: Exercise, style: Style) -> str:
    """The question with its title line."""
    head = f"{exercise.number}  {exercise.title}"
    about = f"{exercise.topic}, {exercise.level}, about {exercise.minutes} minutes"
    return f"{style.bold(head)}\n{style.dim(about)}\n\n{markdown(exercise.prompt, style)}"


def markdown(text: str, style: Style) -> str:
    """Markdown as lines for this terminal, without a blank line at either end."""
    from rich.markdown import Markdown, MarkdownElement
    from rich.text import Text

    class Code(MarkdownElement):
        """A code block as it stands: rich would wrap its lines, and a figure in characters would fall apart."""

        def __init__(self, lexer_name: str = "", theme: str = "") -> None:
            self.text = ""

        @classmethod
        def create(cls, markdown: Markdown, token: object) -> "Code":
            return cls()

        def on_text(self, context: object, text: object) -> None:
            self.text += str(text)

        def __rich_console__(self, console: object, options: object) -> Iterator[Text]:
            lines = self.text.rstrip("\n").split("\n")
            indent = "    " if max(map(len, lines)) <= style.width - 4 else ""
            for line in lines:
                yield Text(indent + line, style="cyan", no_wrap=True, overflow="ignore")

    class Page(Markdown):
        elements = {**Markdown.elements, "fence": Code, "code_block": Code}

    # Without colour nothing would tell code from words, so its backquotes are kept.
    shown = text if style.colour else _with_backquotes(text)
    return _rendered(Page(shown), style)


def python(text: str, style: Style) -> str:
    """Python source, coloured where colour is on; otherwise exactly as it is."""
    if not style.colour:
        return text.rstrip("\n")
    from rich.syntax import Syntax

    return _rendered(Syntax(text.rstrip("\n"), "python", theme="ansi_dark", background_color="default"), style)


def _with_backquotes(text: str) -> str:
    """Inline code quoted twice, so that its backquotes are printed; code blocks as they are."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        elif not fence and not line.startswith("    "):
            line = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"`` `\1` ``", line)
        lines.append(line)
    return "\n".join(lines)


def _rendered(renderable: object, style: Style) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.theme import Theme

    # Everything is said here, so that rich looks at no environment variable of its own.
    console = Console(
        file=StringIO(),
        width=style.width,
        force_terminal=style.colour,
        color_system="standard" if style.colour else None,
        no_color=not style.colour,
        theme=Theme(THEME),
        legacy_windows=False,
        _environ={},
    )
    console.print(renderable, crop=False)
    lines = [line.rstrip() for line in console.file.getvalue().split("\n")]
    return "\n".join(lines).strip("\n")
