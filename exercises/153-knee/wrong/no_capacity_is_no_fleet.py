import math


def crossing(low: tuple, high: tuple, column: int, limit: float) -> float:
    share = (limit - low[column]) / (high[column] - low[column])
    return low[0] + share * (high[0] - low[0])


def knee(curve: list[tuple[float, float, float]], ttft_limit: float, tpot_limit: float) -> float:
    limits = ((1, ttft_limit), (2, tpot_limit))
    previous = None
    for point in curve:
        missed = [(column, limit) for column, limit in limits if point[column] > limit]
        if missed and previous is None:
            return 0.0
        if missed:
            return min(crossing(previous, point, column, limit) for column, limit in missed)
        previous = point
    return float(curve[-1][0])


def instances(target_rate: int, rate_per_instance: float, headroom_percent: int) -> int:
    if rate_per_instance <= 0:
        return 0
    exact = target_rate * 100 / (rate_per_instance * (100 - headroom_percent))
    nearest = round(exact)
    if math.isclose(exact, nearest, rel_tol=1e-9):
        return nearest
    return math.ceil(exact)
