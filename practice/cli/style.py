"""Colour for a terminal, and nothing where colour is not wanted: NO_COLOR, a pipe, TERM=dumb."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

MAX_WIDTH = 100
"""Lines longer than this are tiring to read, however wide the terminal is."""


@dataclass(frozen=True)
class Style:
    """How to write for one stream. Every method returns its text, with colour codes when `colour` is on."""

    colour: bool = False
    width: int = 80

    @classmethod
    def of(cls, stream: TextIO) -> "Style":
        """What suits this stream: FORCE_COLOR wins over NO_COLOR wins over what the stream is."""
        columns = os.environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns) > 0:
            width = int(columns)
        else:
            try:
                width = os.get_terminal_size(stream.fileno()).columns
            except (OSError, ValueError, AttributeError):
                width = 80
        return cls(_wants_colour(stream), max(40, min(width, MAX_WIDTH)))

    def bold(self, text: str) -> str:
        return self._coded("1", text)

    def dim(self, text: str) -> str:
        return self._coded("2", text)

    def red(self, text: str) -> str:
        return self._coded("31", text)

    def green(self, text: str) -> str:
        return self._coded("32", text)

    def yellow(self, text: str) -> str:
        return self._coded("33", text)

    def cyan(self, text: str) -> str:
        return self._coded("36", text)

    def _coded(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.colour and text else text


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(stream, "isatty", lambda: False)())


def commands(rows: Sequence[tuple[str, str]], style: Style) -> list[str]:
    """(command, what it does) as lines, the second column aligned."""
    width = max((len(command) for command, _ in rows), default=0)
    return [f"  {style.cyan(command)}{' ' * (width - len(command))}   {what}" for command, what in rows]


def plain(text: str) -> str:
    """The text with everything a terminal could act on written out: `\\x1b`, `\\u202e`. Line ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "    " if c == "\t" else c.encode("unicode_escape").decode() for c in text)
