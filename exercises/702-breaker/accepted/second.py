"""Circuit breaker whose only timer is a date: open and half-open are one record, told apart by `now`."""

from dataclasses import dataclass

IS_SUCCESS = {"ok": True, "client_error": True, "error": False, "timeout": False}


@dataclass
class Trip:
    """The breaker is not closed."""

    until: float
    seconds: float  # how long it is open this time
    has_probe: bool = False


class Breaker:
    """Stops sending requests to a replica that fails, and tries it again carefully."""

    def __init__(self, threshold: int, open_seconds: float, max_open_seconds: float):
        self._threshold = threshold
        self._open_seconds = open_seconds
        self._max_open_seconds = max_open_seconds
        self._failures = 0
        self._trip = None

    def state(self, now: float) -> str:
        """"closed", "open" or "half-open" at `now`; changes nothing."""
        if self._trip is None:
            return "closed"
        return "open" if now < self._trip.until else "half-open"

    def allow(self, now: float) -> bool:
        """Whether a request may be sent at `now` (seconds). When half-open, True makes that request the probe."""
        if self.state(now) != "half-open":
            return self._trip is None
        is_probe = not self._trip.has_probe
        self._trip.has_probe = True
        return is_probe

    def report(self, now: float, outcome: str) -> None:
        """A request has ended. Raises ValueError for an unknown outcome."""
        if outcome not in IS_SUCCESS:
            raise ValueError(f'the outcome is "{outcome}", but it must be one of {", ".join(IS_SUCCESS)}')
        state = self.state(now)
        if state == "open" or (state == "half-open" and not self._trip.has_probe):
            return
        if IS_SUCCESS[outcome]:
            self._failures, self._trip = 0, None
        elif state == "half-open":
            self._open(now, min(2 * self._trip.seconds, self._max_open_seconds))
        else:
            self._failures += 1
            if self._failures >= self._threshold:
                self._open(now, self._open_seconds)

    def _open(self, now, seconds):
        self._trip = Trip(now + seconds, seconds)
