"""Exercise 703: retries that cannot become a storm."""

from collections.abc import Callable


class RetryBudget:
    """Tokens for retries, deposited by first attempts."""

    def __init__(self, ratio: float, most: float):
        """ratio: tokens per first attempt; most: how many it holds, and holds at first."""
        raise NotImplementedError

    def deposit(self) -> None:
        """A first attempt is made: `ratio` tokens more, at most `most`."""
        raise NotImplementedError

    def withdraw(self) -> bool:
        """Take one token for a retry; False if there is less than one."""
        raise NotImplementedError


def call(
    send: Callable[[], dict],
    budget: RetryBudget,
    *,
    attempts: int,
    base: float,
    cap: float,
    sleep: Callable[[float], None],
    uniform: Callable[[float, float], float],
) -> dict:
    """The answer to one request, with retries of what may be retried.

    send() returns {"status": int} with perhaps "retried": True, or raises TimeoutError. base, cap: seconds.
    """
    raise NotImplementedError


def amplification(tries: int, tiers: int, where: str, ratio: float | None = None) -> float:
    """Requests at the lowest tier per user request while it fails. where: "every" or "edge". Raises ValueError otherwise."""
    raise NotImplementedError
