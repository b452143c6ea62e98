"""Exercise 144: alert on the burn rate of an SLO."""


def burn_rate(samples: list[tuple[int, int, int]], now: int, window: int, objective: float) -> float:
    """How many times faster than allowed the error budget is spent; 0.0 without requests.

    samples: (end in seconds, requests, bad requests), in ascending order of end.
    window: seconds; samples with now - window < end <= now count.
    objective: share of requests that must be good, between 0 and 1.
    """
    raise NotImplementedError


def firing(samples: list[tuple[int, int, int]], now: int, objective: float, rules: list[tuple[str, int, int, float]]) -> list[str]:
    """Names of the rules that fire, in the order of the rules.

    rules: (name, long window in seconds, short window in seconds, factor).
    """
    raise NotImplementedError


def budget_left(samples: list[tuple[int, int, int]], now: int, period: int, objective: float) -> float:
    """Share of the error budget of the last `period` seconds that is left; negative when overspent."""
    raise NotImplementedError
