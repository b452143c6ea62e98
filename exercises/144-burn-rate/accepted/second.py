"""Exercise 144: windows are found by bisection; what is left of the budget is one minus the burn rate of the period."""

from bisect import bisect_right


def burn_rate(samples: list[tuple[int, int, int]], now: int, window: int, objective: float) -> float:
    """How many times faster than allowed the error budget is spent; 0.0 without requests."""
    after_left, after_right = (bisect_right(samples, edge, key=lambda sample: sample[0]) for edge in (now - window, now))
    inside = samples[after_left:after_right]
    total = sum(requests for _, requests, _ in inside)
    if not total:
        return 0.0
    return sum(bad for _, _, bad in inside) / total / (1 - objective)


def firing(samples: list[tuple[int, int, int]], now: int, objective: float, rules: list[tuple[str, int, int, float]]) -> list[str]:
    """Names of the rules whose two windows both burn at the factor or faster, in the order of the rules."""
    return [
        name
        for name, *windows, factor in rules
        if all(burn_rate(samples, now, window, objective) >= factor for window in windows)
    ]


def budget_left(samples: list[tuple[int, int, int]], now: int, period: int, objective: float) -> float:
    """Share of the error budget of the last `period` seconds that is left; negative when overspent."""
    return 1.0 - burn_rate(samples, now, period, objective)
