"""Queue, running requests and KV use over time, from the records."""

from collections.abc import Iterable
from typing import NamedTuple

from practice.sim.record import Record


class Moment(NamedTuple):
    """The state of the instance at one time."""

    time: float
    """Seconds."""
    waiting: int
    """Requests that have arrived and are not admitted."""
    running: int
    """Requests admitted and not finished."""
    kv_tokens: float
    """Tokens in the KV cache: prompts from admission on, answers as they grow."""


def occupancy(records: Iterable[Record], points: int = 200) -> list[Moment]:
    """The state at `points` equally spaced times from the first arrival to the last finish.

    KV tokens are those that hold something: the whole prompt from its admission, then the tokens generated so far,
    taken as growing evenly between first token and finish.
    """
    records = list(records)
    if not records or points < 2:
        raise ValueError(f"occupancy got {len(records)} records and {points} points, but needs at least 1 and 2")
    start, end = min(r.arrival for r in records), max(r.finish for r in records)
    # (time, change of waiting, running, tokens, tokens per second)
    events = []
    for r in records:
        growth = r.output_len / (r.finish - r.first_token) if r.finish > r.first_token else 0.0
        events.append((r.arrival, 1, 0, 0, 0.0))
        events.append((r.scheduled, -1, 1, r.input_len, 0.0))
        events.append((r.first_token, 0, 0, 0, growth))
        grown = r.output_len if growth else 0
        events.append((r.finish, 0, -1, -r.input_len - grown, -growth))
    events.sort()
    moments, place, state, before = [], 0, [0, 0, 0.0, 0.0], start
    for number in range(points):
        now = start + (end - start) * number / (points - 1)
        while place < len(events) and events[place][0] <= now:
            time, *changes = events[place]
            state[2] += state[3] * (time - before)
            before = time
            state = [a + b for a, b in zip(state, changes)]
            place += 1
        state[2] += state[3] * (now - before)
        before = now
        moments.append(Moment(now, state[0], state[1], max(0.0, state[2])))
    return moments
