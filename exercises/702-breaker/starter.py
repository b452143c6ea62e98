"""Exercise 702: circuit breaker for a replica."""


class Breaker:
    """Stops sending requests to a replica that fails, and tries it again carefully."""

    def __init__(self, threshold: int, open_seconds: float, max_open_seconds: float):
        """threshold: failures in a row that open it; open_seconds: how long at first; max_open_seconds: how long at most."""
        raise NotImplementedError

    def allow(self, now: float) -> bool:
        """Whether a request may be sent at `now` (seconds). When half-open, True makes that request the probe."""
        raise NotImplementedError

    def report(self, now: float, outcome: str) -> None:
        """A request has ended: "ok", "error", "timeout" or "client_error". Raises ValueError for anything else."""
        raise NotImplementedError

    def state(self, now: float) -> str:
        """"closed", "open" or "half-open" at `now`; changes nothing."""
        raise NotImplementedError
