"""Retries that cannot become a storm.

Four brakes, each for another kind of storm: only what may succeed (no 4xx), full jitter (nobody in step), one tier (no product of tries), a budget (a bound on the
whole, whatever the other three miss).
"""

RETRYABLE = {429, 500, 502, 503, 504}


class RetryBudget:
    """Tokens for retries, deposited by first attempts."""

    def __init__(self, ratio, most):
        self.ratio = ratio
        self.most = most
        self.tokens = most

    def deposit(self):
        self.tokens = min(self.most, self.tokens + self.ratio)

    def withdraw(self):
        if self.tokens < 1 - 1e-9:  # ten deposits of 0.1 add up to a little less than 1
            return False
        self.tokens -= 1
        return True


def call(send, budget, *, attempts, base, cap, sleep, uniform):
    """The answer to one request, with retries of what may be retried."""
    budget.deposit()
    retries = 0
    while True:
        try:
            answer = send()
        except TimeoutError:
            answer = {"status": 504, "retried": False}
        if answer["status"] not in RETRYABLE or answer.get("retried"):
            return answer
        # The cheap question first: a token is only taken for a retry that will be made.
        if retries + 1 == attempts or not budget.withdraw():
            break
        sleep(uniform(0, min(cap, base * 2**retries)))
        retries += 1
    return {**answer, "retried": True} if retries else answer


def amplification(tries, tiers, where, ratio=None):
    """Requests at the lowest tier per user request while it fails."""
    if where not in ("every", "edge"):
        raise ValueError(f"where is {where!r}, but it must be 'every' or 'edge'")
    per_tier = tries if ratio is None else min(tries, 1 + ratio)
    return per_tier ** (tiers if where == "every" else 1)
