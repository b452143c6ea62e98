"""Exercise 152: the utilisations add up class by class; what goes beyond 1 is never served."""

import math
from itertools import accumulate, pairwise


def moments(classes: list[tuple[float, float]]) -> tuple[float, float]:
    """Mean of the service time in seconds, and of its square."""
    total = sum(weight for weight, _ in classes)
    mean = sum(weight * seconds for weight, seconds in classes) / total
    square = sum(weight * seconds * seconds for weight, seconds in classes) / total
    return mean, square


def mean_wait(rate_per_minute: float, classes: list[tuple[float, float]]) -> float:
    """Mean seconds in the queue, first come first served; math.inf in overload."""
    mean, square = moments(classes)
    rate = rate_per_minute / 60
    idle = 1 - rate * mean
    return rate * square / 2 / idle if idle > 0 else math.inf


def short_first(rate_per_minute: float, classes: list[tuple[float, float]]) -> list[float]:
    """Mean wait of each class, in the order given, when the shortest waiting prompt goes next."""
    rate = rate_per_minute / 60
    total = sum(weight for weight, _ in classes)
    by_length = sorted(classes, key=lambda pair: pair[1])
    sigma = list(accumulate((rate * weight / total * seconds for weight, seconds in by_length), initial=0.0))
    served = [min(upto, 1.0) - min(before, 1.0) for before, upto in pairwise(sigma)]
    residual = sum(share * seconds for share, (_, seconds) in zip(served, by_length)) / 2
    waits = {
        seconds: residual / ((1 - before) * (1 - upto)) if upto < 1 else math.inf
        for (_, seconds), (before, upto) in zip(by_length, pairwise(sigma))
    }
    return [waits[seconds] for _, seconds in classes]


def max_rate(classes: list[tuple[float, float]], wait_seconds: float) -> float:
    """The largest rate per minute at which the first-come-first-served mean wait is at most wait_seconds."""
    mean, square = moments(classes)
    return 60 * 2 * wait_seconds / (square + 2 * wait_seconds * mean)
