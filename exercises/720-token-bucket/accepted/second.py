"""Exercise 720: a bucket is the moment at which it will be full again (GCRA), in ticks of 1/rate milliseconds.

A millisecond is `rate` ticks and a token takes 1,000 of them to come in, so every moment is a whole number.
"""


class TokenBucket:
    """A bucket that starts full and refills lazily; exact in whole numbers."""

    __slots__ = ("rate", "depth", "now", "full_at")

    def __init__(self, rate: int, capacity: int):
        """rate: tokens per second; capacity: tokens."""
        if rate < 1 or capacity < 1:
            raise ValueError(f"rate is {rate} and capacity {capacity}, but both must be 1 or more")
        self.rate = rate
        self.depth = 1000 * capacity  # ticks that an empty bucket takes to fill
        self.now = None
        self.full_at = 0

    def missing(self, now_ms: int, cost: int) -> int:
        """Ticks from now until cost tokens are there, 0 or less if they are; moves the latest time seen."""
        if cost < 0:
            raise ValueError(f"cost is {cost}, but it must be 0 or more")
        now = now_ms * self.rate
        if self.now is None:
            self.now = self.full_at = now
        self.now = max(self.now, now)
        self.full_at = max(self.full_at, self.now)
        return self.full_at + 1000 * cost - self.depth - self.now

    def take(self, now_ms: int, cost: int) -> bool:
        """Remove cost tokens if they are there."""
        if self.missing(now_ms, cost) > 0:
            return False
        self.full_at += 1000 * cost
        return True

    def wait(self, now_ms: int, cost: int) -> int | None:
        """Fewest whole milliseconds until cost tokens are there; None when they never are."""
        ticks = self.missing(now_ms, cost)
        if 1000 * cost > self.depth:
            return None
        return max(0, -(-ticks // self.rate))


class Limiter:
    """One token bucket per tenant, made when the tenant is first seen."""

    def __init__(self, rate: int, capacity: int):
        """rate and capacity of every tenant's bucket."""
        TokenBucket(rate, capacity)  # wrong settings are told here, not at the first tenant
        self.settings = rate, capacity
        self.buckets = {}

    def bucket(self, tenant: str) -> TokenBucket:
        """The tenant's own bucket."""
        if tenant not in self.buckets:
            self.buckets[tenant] = TokenBucket(*self.settings)
        return self.buckets[tenant]

    def take(self, tenant: str, now_ms: int, cost: int) -> bool:
        """As TokenBucket.take, with the tenant's own bucket."""
        return self.bucket(tenant).take(now_ms, cost)

    def wait(self, tenant: str, now_ms: int, cost: int) -> int | None:
        """As TokenBucket.wait, with the tenant's own bucket."""
        return self.bucket(tenant).wait(now_ms, cost)
