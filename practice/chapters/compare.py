"""What the blocks gave against what the chapter says, and the chapter with the new text."""

import difflib
import math
import re

from practice.chapters.chapter import Chapter
from practice.chapters.finding import Finding
from practice.chapters.run import Run

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
UPDATE = "if the new text is right: python judge.py build --only {order:02d} --update"


def same_output(expected: str, got: str) -> bool:
    """Equal text, blanks at line ends aside; numbers may differ by 1e-9 relative."""
    left, right = tidy(expected), tidy(got)
    if left == right:
        return True
    if NUMBER.sub("#", left) != NUMBER.sub("#", right):
        return False
    pairs = zip(NUMBER.findall(left), NUMBER.findall(right), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-9) for a, b in pairs)


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def check_outputs(chapter: Chapter, run: Run, findings: list[Finding]) -> None:
    """A finding per output block and per number that is not what was computed."""
    hint = UPDATE.format(order=chapter.order)
    for block in chapter.blocks:
        got = run.outputs[block.line]
        if block.output is None:
            if got.strip():
                findings.append(Finding(chapter.file, block.line, "this block prints, but has no `output` block under it", hint))
        elif not same_output(block.output, got):
            findings.append(
                Finding(chapter.file, block.output_lines[0], "this is not what the block prints:\n" + diff(block.output, got), hint)
            )
    for value, text in zip(chapter.values, run.values, strict=True):
        if value.text != text:
            findings.append(Finding(chapter.file, value.line, f"the text says {value.text!r}, but {value.expression} gives {text!r}", hint))


def diff(expected: str, got: str) -> str:
    lines = difflib.unified_diff(tidy(expected).split("\n"), tidy(got).split("\n"), "the chapter", "the block", lineterm="", n=1)
    return "\n".join("    " + line for line in lines)


def updated(chapter: Chapter, run: Run, text: str) -> str:
    """The chapter's file with what was computed in place of what it said; text: the whole file."""
    lines = text.split("\n")
    edits = [(value.line, value.start, value, new) for value, new in zip(chapter.values, run.values, strict=True)]
    for _line, _start, value, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        old = lines[value.line - 1]
        lines[value.line - 1] = f"{old[: value.start]}[{new}](={value.expression}){old[value.end :]}"
    for block in reversed(chapter.blocks):
        got = tidy(run.outputs[block.line])
        if block.output is None and got:
            lines[block.end : block.end] = ["", "```output", *got.split("\n"), "```"]
        elif block.output is not None and not got:
            first = block.output_lines[0] - 1
            del lines[first - (1 if not lines[first - 1].strip() else 0) : block.output_lines[1]]
        elif block.output is not None and not same_output(block.output, got):
            lines[block.output_lines[0] : block.output_lines[1] - 1] = got.split("\n")
    return "\n".join(lines)
