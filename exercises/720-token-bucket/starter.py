"""Exercise 720: token bucket per tenant."""


class TokenBucket:
    """A bucket that starts full and refills lazily; exact in whole numbers."""

    def __init__(self, rate: int, capacity: int):
        """rate: tokens per second; capacity: tokens. Both 1 or more, otherwise ValueError."""
        raise NotImplementedError

    def take(self, now_ms: int, cost: int) -> bool:
        """Remove cost tokens if they are there; False, and nothing removed, otherwise."""
        raise NotImplementedError

    def wait(self, now_ms: int, cost: int) -> int | None:
        """Fewest whole milliseconds until cost tokens are there; None when they never are. Removes nothing."""
        raise NotImplementedError


class Limiter:
    """One token bucket per tenant, made when the tenant is first seen."""

    def __init__(self, rate: int, capacity: int):
        """rate and capacity of every tenant's bucket."""
        raise NotImplementedError

    def take(self, tenant: str, now_ms: int, cost: int) -> bool:
        """As TokenBucket.take, with the tenant's own bucket."""
        raise NotImplementedError

    def wait(self, tenant: str, now_ms: int, cost: int) -> int | None:
        """As TokenBucket.wait, with the tenant's own bucket."""
        raise NotImplementedError
