"""Exercise 701: autoscaler with cold starts."""


class Autoscaler:
    """Decides how many replicas to start and to stop."""

    def __init__(self, *, minimum: int, maximum: int, target: int, cold_start: int, cooldown: int):
        """minimum, maximum: replicas; target: outstanding requests per replica; cold_start, cooldown: seconds."""
        raise NotImplementedError

    def decide(self, now: int, outstanding: int, utilisation: float) -> dict:
        """Decide at `now` (seconds). Returns {"start", "stop", "ready", "pending"}: replicas, after the decision."""
        raise NotImplementedError
