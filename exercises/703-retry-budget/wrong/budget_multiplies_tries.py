RETRYABLE = {429, 500, 502, 503, 504}


class RetryBudget:

    def __init__(self, ratio, most):
        self.ratio = ratio
        self.most = most
        self.tokens = most

    def deposit(self):
        self.tokens = min(self.most, self.tokens + self.ratio)

    def withdraw(self):
        if self.tokens < 1 - 1e-9:
            return False
        self.tokens -= 1
        return True


def call(send, budget, *, attempts, base, cap, sleep, uniform):
    budget.deposit()
    retries = 0
    while True:
        try:
            answer = send()
        except TimeoutError:
            answer = {"status": 504, "retried": False}
        if answer["status"] not in RETRYABLE or answer.get("retried"):
            return answer
        if retries + 1 == attempts or not budget.withdraw():
            break
        sleep(uniform(0, min(cap, base * 2**retries)))
        retries += 1
    return {**answer, "retried": True} if retries else answer


def amplification(tries, tiers, where, ratio=None):
    if where not in ("every", "edge"):
        raise ValueError(f"where is {where!r}, but it must be 'every' or 'edge'")
    per_tier = tries if ratio is None else 1 + ratio * (tries - 1)
    return per_tier ** (tiers if where == "every" else 1)
