"""Autoscaler whose memory of wishes is a falling list: a wish is forgotten once a later one is as high."""

from collections import deque


class Autoscaler:
    """Decides how many replicas to start and to stop."""

    def __init__(self, *, minimum: int, maximum: int, target: int, cold_start: int, cooldown: int):
        self._minimum, self._maximum, self._target = minimum, maximum, target
        self._cold_start, self._cooldown = cold_start, cooldown
        self._ready = minimum
        self._due = deque()  # times at which the pending replicas become ready, rising
        self._wishes = deque()  # (time, wish), times rising and wishes falling

    def decide(self, now: int, outstanding: int, utilisation: float) -> dict:
        """Decide at `now` (seconds). Returns {"start", "stop", "ready", "pending"}: replicas, after the decision."""
        while self._due and self._due[0] <= now:
            self._due.popleft()
            self._ready += 1
        wish = min(max(-(-outstanding // self._target), self._minimum), self._maximum)
        highest = self._highest_wish(now, wish)
        size = self._ready + len(self._due)
        start = max(0, wish - size)
        stop = max(0, size - highest)
        self._due.extend([now + self._cold_start] * start)
        self._stop(stop)
        return {"start": start, "stop": stop, "ready": self._ready, "pending": len(self._due)}

    def _highest_wish(self, now, wish):
        """Remember this wish; the highest of the last `cooldown` seconds."""
        while self._wishes and self._wishes[-1][1] <= wish:
            self._wishes.pop()
        self._wishes.append((now, wish))
        while self._wishes[0][0] < now - self._cooldown:
            self._wishes.popleft()
        return self._wishes[0][1]

    def _stop(self, count):
        from_pending = min(count, len(self._due))
        for _ in range(from_pending):
            self._due.pop()
        self._ready -= count - from_pending
