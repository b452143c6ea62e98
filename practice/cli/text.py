"""Fitting words into lines and durations into words."""

import textwrap
from collections.abc import Iterable

LABEL = 8
"""Characters a label column has at least, so that reports look alike."""


def wrap(text: str, width: int, most: int = 1000) -> list[str]:
    """Lines of at most `width` characters, at most `most` of them; what is cut is marked by an ellipsis."""
    lines = []
    for part in text.split("\n"):
        lines += textwrap.wrap(part, width, break_on_hyphens=False, drop_whitespace=True, replace_whitespace=False) or [""]
        if len(lines) > most:
            break
    if len(lines) <= most:
        return lines
    lines = lines[:most]
    lines[-1] = lines[-1][: width - 4].rstrip() + " ..."
    return lines


def labelled(rows: Iterable[tuple[str, str, int]], width: int, indent: int = 2) -> list[tuple[str, str]]:
    """(label, text, most lines) rows as (label column, text) lines, the texts aligned and rows without text left out."""
    rows = [row for row in rows if row[1]]
    column = max([LABEL, *(len(label) for label, _, _ in rows)]) + 2
    lines = []
    for label, text, most in rows:
        for index, line in enumerate(wrap(text, width - indent - column, most)):
            lines.append((" " * indent + (label if index == 0 else "").ljust(column), line))
    return lines


def duration(seconds: float) -> str:
    """How long, in the words one would say: `3 minutes`, `1 hour 5 minutes`."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return count(minutes, "minute")
    hours, minutes = divmod(minutes, 60)
    return count(hours, "hour") + (f" {count(minutes, 'minute')}" if minutes else "")


def count(number: int, noun: str) -> str:
    """`1 check`, `2 checks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def figures(seconds: float) -> str:
    """Seconds as measured, with the digits that mean something: `0.003 s`, `1.25 s`, `12 s`."""
    if seconds >= 10:
        return f"{seconds:.0f} s"
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds:.3f} s"


def mib(size: float) -> str:
    """Bytes as `24 MiB`."""
    return f"{size / 2**20:.0f} MiB"
