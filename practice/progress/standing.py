"""Where a learner stands with one exercise, as a function of the events."""

from collections.abc import Iterable
from dataclasses import dataclass

from practice.progress.event import Event

PAUSE = 30 * 60.0
"""Seconds after which nobody is taken to have been working: a longer gap between two events counts as this much."""


@dataclass(frozen=True)
class Standing:
    """What was done on one exercise so far."""

    number: int
    attempts: int = 0
    failures: int = 0
    """Attempts that did not pass since the last one that did."""
    solved_at: float | None = None
    """Seconds since 1970 of the first pass, or None."""
    status: str = ""
    """The status of the best attempt, or ""."""
    passed: int = 0
    """Checks passed in the best attempt."""
    total: int = 0
    """Checks there were in the best attempt."""
    hints: int = 0
    """Different hints read."""
    saw_solution: bool = False
    """True when the solution was read before the first pass."""
    started_at: float = 0.0
    last_at: float = 0.0
    seconds: float = 0.0
    """Time worked up to the first pass (or the last event): the gaps between events, none counted above PAUSE."""

    @property
    def state(self) -> str:
        """solved, tried, started or new."""
        if self.solved_at is not None:
            return "solved"
        return "tried" if self.attempts else "started" if self.last_at else "new"


def standings(events: Iterable[Event]) -> dict[int, Standing]:
    """Exercise number to standing, for every exercise that has an event."""
    by_number: dict[int, list[Event]] = {}
    for event in events:
        if event.number:
            by_number.setdefault(event.number, []).append(event)
    return {number: standing(number, log) for number, log in sorted(by_number.items())}


def standing(number: int, events: Iterable[Event]) -> Standing:
    """The standing that these events of one exercise add up to."""
    log = sorted(events, key=lambda event: (event.at, event.id))
    if not log:
        return Standing(number)
    attempts = [event for event in log if event.kind == "attempt"]
    solved = next((event.at for event in attempts if _is_pass(event)), None)
    best = max(attempts, key=_worth, default=None)
    working = [event.at for event in log if solved is None or event.at <= solved]
    return Standing(
        number=number,
        attempts=len(attempts),
        failures=_failures_at_end(attempts),
        solved_at=solved,
        status=str(best.data.get("status", "")) if best else "",
        passed=_count(best, "passed"),
        total=_count(best, "total"),
        hints=len({event.data.get("index", 1) for event in log if event.kind == "hint"}),
        saw_solution=any(event.kind == "solution" and (solved is None or event.at < solved) for event in log),
        started_at=log[0].at,
        last_at=log[-1].at,
        seconds=sum(min(later - earlier, PAUSE) for earlier, later in zip(working, working[1:])),
    )


def _is_pass(event: Event) -> bool:
    return event.data.get("status") == "accepted"


def _worth(event: Event) -> tuple[bool, float]:
    total = _count(event, "total")
    return _is_pass(event), _count(event, "passed") / total if total else 0.0


def _failures_at_end(attempts: list[Event]) -> int:
    count = 0
    for event in reversed(attempts):
        if _is_pass(event):
            break
        count += 1
    return count


def _count(event: Event | None, key: str) -> int:
    value = event.data.get(key, 0) if event else 0
    return value if isinstance(value, int) else 0
