"""Exercise 720: token bucket per tenant."""


class TokenBucket:
    """A bucket that starts full and refills lazily; exact in whole numbers.

    The content is kept in thousandths of a token: at r tokens per second, one millisecond brings exactly r of them.
    """

    def __init__(self, rate: int, capacity: int):
        if rate < 1 or capacity < 1:
            raise ValueError(f"rate {rate} and capacity {capacity} must both be at least 1")
        self.rate = rate
        self.capacity = 1000 * capacity
        self.content = self.capacity
        self.latest = None  # the latest time seen, in ms

    def refill(self, now_ms: int) -> None:
        """Add what came in since the latest time seen; a clock that steps back adds nothing and moves nothing."""
        if self.latest is None:
            self.latest = now_ms
        if now_ms > self.latest:
            self.content = min(self.capacity, self.content + (now_ms - self.latest) * self.rate)
            self.latest = now_ms

    def wait(self, now_ms: int, cost: int) -> int | None:
        """Fewest whole milliseconds until cost tokens are there; None when they never are."""
        if cost < 0:
            raise ValueError(f"cost {cost} is negative")
        self.refill(now_ms)
        if 1000 * cost > self.capacity:
            return None
        missing = max(0, 1000 * cost - self.content)
        return -(-missing // self.rate)  # rounded up: a wait that ends too early is a second refusal

    def take(self, now_ms: int, cost: int) -> bool:
        """Remove cost tokens if they are there."""
        if self.wait(now_ms, cost) != 0:
            return False
        self.content -= 1000 * cost
        return True


class Limiter:
    """One token bucket per tenant, made when the tenant is first seen."""

    def __init__(self, rate: int, capacity: int):
        self.rate = rate
        self.capacity = capacity
        self.buckets = {}

    def bucket(self, tenant: str) -> TokenBucket:
        """The tenant's own bucket."""
        if tenant not in self.buckets:
            self.buckets[tenant] = TokenBucket(self.rate, self.capacity)
        return self.buckets[tenant]

    def take(self, tenant: str, now_ms: int, cost: int) -> bool:
        """As TokenBucket.take, with the tenant's own bucket."""
        return self.bucket(tenant).take(now_ms, cost)

    def wait(self, tenant: str, now_ms: int, cost: int) -> int | None:
        """As TokenBucket.wait, with the tenant's own bucket."""
        return self.bucket(tenant).wait(now_ms, cost)
