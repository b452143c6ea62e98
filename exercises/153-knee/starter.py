"""Exercise 153: the knee of a measured curve."""


def knee(curve: list[tuple[float, float, float]], ttft_limit: float, tpot_limit: float) -> float:
    """The rate up to which one instance meets both limits, in requests per second.

    curve: (rate, TTFT, TPOT), strictly ascending in rate, at least one point; seconds.
    Returns 0.0 when the first point already misses a limit, and the last rate when no point does.
    """
    raise NotImplementedError


def instances(target_rate: int, rate_per_instance: float, headroom_percent: int) -> int:
    """Instances needed when headroom_percent of each instance's rate stays unused.

    Raises ValueError when rate_per_instance is 0 or less.
    """
    raise NotImplementedError
