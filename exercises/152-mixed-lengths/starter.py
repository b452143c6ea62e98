"""Exercise 152: short prompts behind long ones."""

import math  # math.inf is the wait of an overloaded queue


def mean_wait(rate_per_minute: float, classes: list[tuple[float, float]]) -> float:
    """Mean seconds in the queue, first come first served; math.inf in overload.

    rate_per_minute: prompts per minute.
    classes: (weight, seconds of service); weights need not sum to 1.
    """
    raise NotImplementedError


def short_first(rate_per_minute: float, classes: list[tuple[float, float]]) -> list[float]:
    """Mean wait of each class, in the order given, when the shortest waiting prompt goes next."""
    raise NotImplementedError


def max_rate(classes: list[tuple[float, float]], wait_seconds: float) -> float:
    """The largest rate per minute at which the first-come-first-served mean wait is at most wait_seconds."""
    raise NotImplementedError
