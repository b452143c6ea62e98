"""Exercise 153: the knee of a measured curve."""

import math


def crossing(low: tuple, high: tuple, column: int, limit: float) -> float:
    """The rate between two points at which a latency reaches its limit: low meets it, high does not."""
    share = (limit - low[column]) / (high[column] - low[column])
    return low[0] + share * (high[0] - low[0])


def knee(curve: list[tuple[float, float, float]], ttft_limit: float, tpot_limit: float) -> float:
    """The rate up to which one instance meets both limits, in requests per second."""
    limits = ((1, ttft_limit), (2, tpot_limit))
    previous = None
    for point in curve:
        missed = [(column, limit) for column, limit in limits if point[column] > limit]
        if missed and previous is None:
            return 0.0
        if missed:
            # The point before met both limits, so each missed one was crossed in this piece; the earlier crossing counts.
            return min(crossing(previous, point, column, limit) for column, limit in missed)
        previous = point
    return float(curve[-1][0])  # never missed: do not promise what was not measured


def instances(target_rate: int, rate_per_instance: float, headroom_percent: int) -> int:
    """Instances needed when headroom_percent of each instance's rate stays unused."""
    if rate_per_instance <= 0:
        raise ValueError(f"an instance serves {rate_per_instance} requests/s, so no number of them is enough")
    exact = target_rate * 100 / (rate_per_instance * (100 - headroom_percent))
    nearest = round(exact)
    if math.isclose(exact, nearest, rel_tol=1e-9):
        return nearest
    return math.ceil(exact)
