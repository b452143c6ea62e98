import math


def knee(curve: list[tuple[float, float, float]], ttft_limit: float, tpot_limit: float) -> float:
    limits = ((1, ttft_limit), (2, tpot_limit))
    previous = None
    for point in curve:
        missed = [(column, limit) for column, limit in limits if point[column] > limit]
        if missed and previous is None:
            return 0.0
        if missed:
            return float(previous[0])
        previous = point
    return float(curve[-1][0])


def instances(target_rate: int, rate_per_instance: float, headroom_percent: int) -> int:
    if rate_per_instance <= 0:
        raise ValueError(f"an instance serves {rate_per_instance} requests/s, so no number of them is enough")
    exact = target_rate * 100 / (rate_per_instance * (100 - headroom_percent))
    nearest = round(exact)
    if math.isclose(exact, nearest, rel_tol=1e-9):
        return nearest
    return math.ceil(exact)
