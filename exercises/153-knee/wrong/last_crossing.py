import math


def crossing(low: tuple, high: tuple, column: int, limit: float) -> float:
    share = (limit - low[column]) / (high[column] - low[column])
    return low[0] + share * (high[0] - low[0])


def knee(curve: list[tuple[float, float, float]], ttft_limit: float, tpot_limit: float) -> float:
    limits = ((1, ttft_limit), (2, tpot_limit))
    previous = None
    best = 0.0
    for point in curve:
        missed = [(column, limit) for column, limit in limits if point[column] > limit]
        if not missed:
            best = float(point[0])
            previous = point
        elif best == 0.0:
            return 0.0
        elif previous is not None:
            best = min(crossing(previous, point, column, limit) for column, limit in missed)
            previous = None
    return best


def instances(target_rate: int, rate_per_instance: float, headroom_percent: int) -> int:
    if rate_per_instance <= 0:
        raise ValueError(f"an instance serves {rate_per_instance} requests/s, so no number of them is enough")
    exact = target_rate * 100 / (rate_per_instance * (100 - headroom_percent))
    nearest = round(exact)
    if math.isclose(exact, nearest, rel_tol=1e-9):
        return nearest
    return math.ceil(exact)
