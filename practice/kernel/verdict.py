"""The judge's answer, and its JSON: the same everywhere (shell, web worker, reports)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

FORMAT = 1
"""The version of the verdict's JSON. A reader refuses any other."""


class Status(StrEnum):
    """How a check or a whole submission ended, in the field's words."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong answer"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    OUTPUT_LIMIT = "output limit"
    RUNTIME_ERROR = "runtime error"
    COMPILE_ERROR = "compile error"
    JUDGE_ERROR = "judge error"
    NOT_RUN = "not run"
    """Only of a check: an earlier one ended the run."""


@dataclass(frozen=True)
class CheckResult:
    """What one check found."""

    name: str
    """The function's name: `check_partial_last_block`."""
    status: Status
    title: str = ""
    """The first line of the check's docstring."""
    shown: bool = False
    """True for an example, which the learner may read."""
    message: str = ""
    """The whole finding as one plain sentence or two; "" when accepted."""
    call: str = ""
    """The call that was looked at, as the learner would type it: `blocks_needed(tokens=33, block_size=16)`."""
    got: str = ""
    expected: str = ""
    difference: str = ""
    """Where and how the two differ, for values too long to compare by eye."""
    idea: str = ""
    """What is probably missing."""
    known_wrong: str = ""
    """The name of a known-wrong submission that answers the same on the same inputs, or ""."""
    traceback: tuple[str, ...] = ()
    """The learner's own lines, innermost last: `line 12, in plan: return kv / 0`."""
    output: str = ""
    """What the submission printed during this check, cut to a few KiB."""
    seconds: float = 0.0
    """CPU seconds the submission used in this check (wall seconds where CPU time cannot be had)."""


@dataclass(frozen=True)
class Verdict:
    """The judge's answer to one submission."""

    exercise: str
    """The exercise's id: `184-fleet-size`."""
    status: Status
    headline: str
    checks: tuple[CheckResult, ...] = ()
    seed: int = 0
    """Draws the randomised checks; the same seed replays them."""
    seconds: float = 0.0
    """CPU seconds of the slowest check."""
    limit_seconds: float = 0.0
    """The limit it is held against on this machine."""
    memory: int = 0
    """Peak bytes of the submission's process, or 0 where it cannot be had."""
    output: str = ""
    """What the submission printed while loading and in the first failed check (or the last check)."""
    judged: Mapping[str, Any] = field(default_factory=dict)
    """Where: python, platform, backend ("pipe" or "loopback"), isolation {level, layers, missing}."""

    @property
    def passed(self) -> int:
        return sum(check.status is Status.ACCEPTED for check in self.checks)

    @property
    def first_failure(self) -> CheckResult | None:
        """The first check that did not pass and was run, or None."""
        failed = (c for c in self.checks if c.status not in (Status.ACCEPTED, Status.NOT_RUN))
        return next(failed, None)


def to_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain JSON values, with `format` first."""
    return {"format": FORMAT, **asdict(verdict)}


def from_json(data: Mapping[str, Any]) -> Verdict:
    """The verdict that `to_json` wrote.

    Raises ValueError when `format` is another one or a field is missing or unknown.
    """
    if data.get("format") != FORMAT:
        raise ValueError(f"verdict format is {data.get('format')!r}, but this version reads {FORMAT}")
    fields = {key: value for key, value in data.items() if key != "format"}
    try:
        fields["checks"] = tuple(_check_from_json(check) for check in fields["checks"])
        fields["status"] = Status(fields["status"])
        return Verdict(**fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a verdict: {error}") from None


def _check_from_json(data: Mapping[str, Any]) -> CheckResult:
    return CheckResult(**{**data, "status": Status(data["status"]), "traceback": tuple(data["traceback"])})
