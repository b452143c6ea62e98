import math


def moments(classes: list[tuple[float, float]]) -> tuple[float, float]:
    total = sum(weight for weight, _ in classes)
    mean = sum(weight * seconds for weight, seconds in classes) / total
    mean_square = sum(weight * seconds**2 for weight, seconds in classes) / total
    return mean, mean_square


def mean_wait(rate_per_minute: float, classes: list[tuple[float, float]]) -> float:
    rate = rate_per_minute / 60
    mean, mean_square = moments(classes)
    if rate * mean >= 1:
        return math.inf
    residual = rate * mean_square / 2
    return residual / (1 - rate * mean)


def short_first(rate_per_minute: float, classes: list[tuple[float, float]]) -> list[float]:
    rate = rate_per_minute / 60
    total = sum(weight for weight, _ in classes)
    order = sorted(range(len(classes)), key=lambda i: classes[i][1])

    mean, mean_square = moments(classes)
    if rate * mean >= 1:
        return [math.inf] * len(classes)
    residual = rate * mean_square / 2
    loads = []
    for i in order:
        weight, seconds = classes[i]
        load = rate * weight / total * seconds
        loads.append(load)

    waits, before = [math.inf] * len(classes), 0.0
    for i, load in zip(order, loads):
        waits[i] = residual / ((1 - before) * (1 - before - load))
        before += load
    return waits


def max_rate(classes: list[tuple[float, float]], wait_seconds: float) -> float:
    mean, mean_square = moments(classes)
    return 60 * 2 * wait_seconds / (mean_square + 2 * wait_seconds * mean)
