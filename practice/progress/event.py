"""One thing a learner did, and its JSON: the same in the shell and in the browser (docs/verdict-and-progress-formats.md)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FORMAT = 1
"""The version of the exported JSON. A reader refuses any other."""

KINDS = ("start", "attempt", "hint", "solution", "after")
"""What an event of an exercise can be. Other kinds (drills, mock interviews) are kept and handed on unread."""


@dataclass(frozen=True)
class Event:
    """One line of the log. Events are only ever added, so two logs are merged by taking both."""

    id: str
    """Unlike any other, wherever it was made: 32 hexadecimal digits."""
    at: float
    """Seconds since 1970, UTC."""
    kind: str
    number: int = 0
    """The exercise's number, or 0 when it belongs to none."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Of an attempt: status, passed, total, seconds, seed; of a hint: index (from 1)."""


def event_to_json(event: Event) -> dict[str, Any]:
    return {"id": event.id, "at": event.at, "kind": event.kind, "number": event.number, "data": dict(event.data)}


def event_from_json(value: Any) -> Event:
    """The event `event_to_json` wrote. Raises ValueError that says what it found instead."""
    if not isinstance(value, Mapping):
        raise ValueError(f"an event is {value!r:.60}, but it must be an object")
    _expect(value, "id", isinstance(value.get("id"), str) and 0 < len(value["id"]) <= 64, "text of 1 to 64 characters")
    _expect(value, "at", _is_number(value.get("at")), "a number of seconds since 1970")
    _expect(value, "kind", isinstance(value.get("kind"), str) and 0 < len(value["kind"]) <= 64, "text of 1 to 64 characters")
    _expect(value, "number", isinstance(value.get("number", 0), int) and 0 <= value.get("number", 0) < 2**31, "an exercise's number, or 0")
    _expect(value, "data", isinstance(value.get("data", {}), Mapping), "an object")
    return Event(value["id"], float(value["at"]), value["kind"], int(value.get("number", 0)), dict(value.get("data", {})))


def _expect(value: Mapping[str, Any], key: str, holds: bool, words: str) -> None:
    if not holds:
        raise ValueError(f"`{key}` of an event is {value.get(key)!r:.60}, but it must be {words}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value < 1e11
