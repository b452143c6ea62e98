"""Exercise 152: short prompts behind long ones."""

import math


def moments(classes: list[tuple[float, float]]) -> tuple[float, float]:
    """E[S] and E[S^2] of the service time of a random prompt."""
    total = sum(weight for weight, _ in classes)
    mean = sum(weight * seconds for weight, seconds in classes) / total
    mean_square = sum(weight * seconds**2 for weight, seconds in classes) / total
    return mean, mean_square


def mean_wait(rate_per_minute: float, classes: list[tuple[float, float]]) -> float:
    """Mean seconds in the queue, first come first served; math.inf in overload."""
    rate = rate_per_minute / 60
    mean, mean_square = moments(classes)
    if rate * mean >= 1:
        return math.inf
    # Long services are met more often, because they last longer: hence the square.
    residual = rate * mean_square / 2
    return residual / (1 - rate * mean)


def short_first(rate_per_minute: float, classes: list[tuple[float, float]]) -> list[float]:
    """Mean wait of each class, in the order given, when the shortest waiting prompt goes next."""
    rate = rate_per_minute / 60
    total = sum(weight for weight, _ in classes)
    order = sorted(range(len(classes)), key=lambda i: classes[i][1])

    # The service in progress may be of any class: without preemption even the shortest prompt waits for it.
    loads, residual, used = [], 0.0, 0.0
    for i in order:
        weight, seconds = classes[i]
        load = rate * weight / total * seconds
        residual += min(load, max(0.0, 1 - used)) * seconds / 2
        used += load
        loads.append(load)

    waits, before = [math.inf] * len(classes), 0.0
    for i, load in zip(order, loads):
        if before + load >= 1:
            break  # this class and all longer ones starve
        # Ahead of it: those it finds (1 - sigma_k) and those shorter ones that arrive while it waits (1 - sigma_(k-1)).
        waits[i] = residual / ((1 - before) * (1 - before - load))
        before += load
    return waits


def max_rate(classes: list[tuple[float, float]], wait_seconds: float) -> float:
    """The largest rate per minute at which the first-come-first-served mean wait is at most wait_seconds."""
    mean, mean_square = moments(classes)
    return 60 * 2 * wait_seconds / (mean_square + 2 * wait_seconds * mean)
