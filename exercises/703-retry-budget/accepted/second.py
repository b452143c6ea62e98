"""Retries that cannot become a storm: one loop over the upper ends of the waits, one per retry that is left."""

RETRYABLE = {429, 500, 502, 503, 504}
ALMOST = 1e-9


class RetryBudget:
    """Tokens for retries, deposited by first attempts."""

    def __init__(self, ratio: float, most: float):
        self._ratio = ratio
        self._most = most
        self._tokens = most

    def deposit(self) -> None:
        """A first attempt is made: `ratio` tokens more, at most `most`."""
        self._tokens = min(self._most, self._tokens + self._ratio)

    def withdraw(self) -> bool:
        """Take one token for a retry; False if there is less than one."""
        if self._tokens < 1 - ALMOST:
            return False
        self._tokens = max(0.0, self._tokens - 1)
        return True


def call(send, budget, *, attempts: int, base: float, cap: float, sleep, uniform) -> dict:
    """The answer to one request, with retries of what may be retried."""
    budget.deposit()
    answer = attempt(send)
    retries = 0
    while may_retry(answer) and retries < attempts - 1 and budget.withdraw():
        sleep(uniform(0, min(cap, base * 2**retries)))
        retries += 1
        answer = attempt(send)
    if answer is None:
        return {"status": 504, "retried": retries > 0}
    if retries and answer["status"] in RETRYABLE:
        return {**answer, "retried": True}
    return answer


def attempt(send):
    """The answer of one attempt, None for a timeout."""
    try:
        return send()
    except TimeoutError:
        return None


def may_retry(answer):
    """Whether an attempt failed in a way that another one could mend, and no lower tier has tried."""
    return answer is None or (answer["status"] in RETRYABLE and not answer.get("retried"))


def amplification(tries: int, tiers: int, where: str, ratio: float | None = None) -> float:
    """Requests at the lowest tier per user request while it fails."""
    retrying_tiers = {"every": tiers, "edge": 1}
    if where not in retrying_tiers:
        raise ValueError(f'where is "{where}", but it must be "every" or "edge"')
    attempts = tries if ratio is None else min(tries, 1 + ratio)
    return attempts ** retrying_tiers[where]
