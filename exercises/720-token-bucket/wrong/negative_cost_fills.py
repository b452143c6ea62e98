class TokenBucket:

    def __init__(self, rate: int, capacity: int):
        if rate < 1 or capacity < 1:
            raise ValueError(f"rate {rate} and capacity {capacity} must both be at least 1")
        self.rate = rate
        self.capacity = 1000 * capacity
        self.content = self.capacity
        self.latest = None

    def refill(self, now_ms: int) -> None:
        if self.latest is None:
            self.latest = now_ms
        if now_ms > self.latest:
            self.content = min(self.capacity, self.content + (now_ms - self.latest) * self.rate)
            self.latest = now_ms

    def wait(self, now_ms: int, cost: int) -> int | None:
        self.refill(now_ms)
        if 1000 * cost > self.capacity:
            return None
        missing = max(0, 1000 * cost - self.content)
        return -(-missing // self.rate)

    def take(self, now_ms: int, cost: int) -> bool:
        if self.wait(now_ms, cost) != 0:
            return False
        self.content -= 1000 * cost
        return True


class Limiter:
    def __init__(self, rate: int, capacity: int):
        self.rate = rate
        self.capacity = capacity
        self.buckets = {}

    def bucket(self, tenant: str) -> TokenBucket:
        if tenant not in self.buckets:
            self.buckets[tenant] = TokenBucket(self.rate, self.capacity)
        return self.buckets[tenant]

    def take(self, tenant: str, now_ms: int, cost: int) -> bool:
        return self.bucket(tenant).take(now_ms, cost)

    def wait(self, tenant: str, now_ms: int, cost: int) -> int | None:
        return self.bucket(tenant).wait(now_ms, cost)
