"""Exercise 153: each latency has its own crossing; the knee is the lower one."""

import math
from itertools import pairwise


def crossing(points: list[tuple[float, float]], limit: float) -> float:
    """The rate up to which one latency, given as (rate, latency) points, stays within its limit."""
    if points[0][1] > limit:
        return 0.0
    for (rate, latency), (next_rate, next_latency) in pairwise(points):
        if next_latency > limit:
            return rate + (next_rate - rate) * (limit - latency) / (next_latency - latency)
    return points[-1][0]


def knee(curve: list[tuple[float, float, float]], ttft_limit: float, tpot_limit: float) -> float:
    """The rate up to which one instance meets both limits, in requests per second."""
    by_ttft = crossing([(rate, ttft) for rate, ttft, _ in curve], ttft_limit)
    by_tpot = crossing([(rate, tpot) for rate, _, tpot in curve], tpot_limit)
    return float(min(by_ttft, by_tpot))


def instances(target_rate: int, rate_per_instance: float, headroom_percent: int) -> int:
    """Instances needed when headroom_percent of each instance's rate stays unused."""
    if rate_per_instance <= 0:
        raise ValueError(f"rate_per_instance is {rate_per_instance}, but it must be above 0")
    quotient = target_rate * 100 / (rate_per_instance * (100 - headroom_percent))
    nearest = round(quotient)
    return nearest if math.isclose(quotient, nearest, rel_tol=1e-9) else math.ceil(quotient)
