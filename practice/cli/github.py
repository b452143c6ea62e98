"""Verdicts for GitHub Actions: annotations on the learner's file and a table for the step's summary."""

import re
from collections.abc import Sequence

from practice.kernel.verdict import CheckResult, Status, Verdict

MOST = 9
"""GitHub shows ten annotations of a step; the tenth may be another tool's."""
LINE = re.compile(r"line (\d+)")


def annotations(verdict: Verdict, file: str) -> list[str]:
    """`::error` lines for the checks that did not pass, at most MOST."""
    failed = [check for check in verdict.checks if check.status not in (Status.ACCEPTED, Status.NOT_RUN)]
    if not failed and verdict.status is not Status.ACCEPTED:
        failed = [CheckResult("load", verdict.status, message=verdict.headline)]
    return [_annotation(verdict, check, file) for check in failed[:MOST]]


def summary(verdicts: Sequence[Verdict]) -> str:
    """A Markdown table with one row for each verdict."""
    lines = ["| exercise | verdict | checks passed | first that did not |", "|---|---|---|---|"]
    for verdict in verdicts:
        first = verdict.first_failure
        failed = (first.title or first.name) if first else ""
        cells = (verdict.exercise, verdict.status.value, f"{verdict.passed} of {len(verdict.checks)}", failed)
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _annotation(verdict: Verdict, check: CheckResult, file: str) -> str:
    properties = {"file": file}
    found = LINE.search(check.traceback[-1]) if check.traceback else None
    if found:
        properties["line"] = found[1]
    properties["title"] = f"{verdict.exercise} {check.status.value}: {check.title or check.name}"
    head = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in properties.items())
    return f"::error {head}::{_escaped(check.message or check.status.value)}"


def _escaped(text: str, more: str = "") -> str:
    """% and line ends as GitHub wants them; in a property the colon and the comma too. Other controls are written out."""
    text = "".join(c if c.isprintable() or c in "\r\n" else c.encode("unicode_escape").decode() for c in text)
    for char in "%\r\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return text


def _cell(text: str) -> str:
    text = "".join(char if char.isprintable() else " " for char in text)
    return text.replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
