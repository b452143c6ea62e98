"""The marks in a chapter's Markdown that this project gives a meaning: fences, headings, values, anchors."""

import re
from dataclasses import dataclass

from practice.chapters.chapter import Heading, Value

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([^`]*)$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
VALUE = re.compile(r"\[([^\[\]\n]*)\]\(=")


@dataclass(frozen=True)
class Fence:
    """A fenced block."""

    line: int
    """Of the opening fence, from 1."""
    end: int
    """Of the closing fence."""
    language: str
    flags: tuple[str, ...]
    body: str
    closed: bool


def find_fences(text: str, offset: int = 0) -> list[Fence]:
    """Fenced blocks in order; lines are counted from 1 + offset."""
    fences, lines, index = [], text.split("\n"), 0
    while index < len(lines):
        opening = FENCE.match(lines[index])
        if not opening:
            index += 1
            continue
        mark, info = opening.group(1), opening.group(2).split()
        closing = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}\s*$")
        end = next((at for at in range(index + 1, len(lines)) if closing.match(lines[at])), None)
        last = len(lines) if end is None else end
        body = "".join(line + "\n" for line in lines[index + 1 : last])
        fences.append(Fence(offset + index + 1, offset + last + 1, info[0] if info else "", tuple(info[1:]), body, end is not None))
        index = last + 1
    return fences


def prose_lines(text: str, fences: list[Fence], offset: int = 0) -> list[tuple[int, str]]:
    """The lines outside fences, with their numbers."""
    inside = {line for fence in fences for line in range(fence.line, fence.end + 1)}
    return [(number, line) for number, line in enumerate(text.split("\n"), 1 + offset) if number not in inside]


def find_headings(lines: list[tuple[int, str]]) -> list[Heading]:
    found = []
    for number, line in lines:
        if match := HEADING.match(line):
            text = match.group(2)
            found.append(Heading(number, len(match.group(1)), plain(text), anchor_of(text)))
    return found


def find_values(lines: list[tuple[int, str]]) -> list[Value]:
    """Computed numbers of the prose, left to right; those in code spans are text."""
    found = []
    for number, line in lines:
        for match in VALUE.finditer(line):
            end = closing_parenthesis(line, match.end())
            if end and not in_code_span(line, match.start()):
                found.append(Value(number, match.start(), end + 1, match.group(1), line[match.end() : end]))
    return found


def closing_parenthesis(line: str, start: int) -> int | None:
    """Index of the `)` that closes a parenthesis opened before start, or None."""
    depth = 1
    for index in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[index], 0)
        if depth == 0:
            return index
        if line[index].isspace():
            return None
    return None


def in_code_span(line: str, index: int) -> bool:
    return line[:index].count("`") % 2 == 1


def plain(markdown: str) -> str:
    """A heading's or title's text without marks of emphasis, code and links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown).replace("`", "").replace("*", "")


def anchor_of(text: str) -> str:
    """`Single instance` to `single-instance`: letters and digits kept, blanks to hyphens."""
    kept = "".join(c for c in plain(text).lower() if c.isalnum() or c in " -_")
    return "-".join(kept.split()) or "section"
