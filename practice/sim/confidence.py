"""How sure a figure is that comes from random arrivals."""

from collections.abc import Callable, Iterable
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

# Two-sided 95% points of Student's t for 1 to 10 degrees of freedom; above, the expansion below is right to 0.1%.
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


class Interval(NamedTuple):
    """A mean and its 95% confidence interval."""

    mean: float
    """Mean of the values."""
    low: float
    """Lower end."""
    high: float
    """Upper end."""


def confidence(values: Iterable[float]) -> Interval:
    """The mean of independent values with its 95% confidence interval (Student's t); at least two values."""
    values = list(values)
    if len(values) < 2:
        raise ValueError(f"values has {len(values)} of them, but a confidence interval needs at least 2")
    mean, half = fmean(values), _t95(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


def over_seeds(run: Callable[[int], float], seeds: Iterable[int] = range(5)) -> Interval:
    """The confidence interval of a figure over seeds: `run(seed)` gives the figure.

    Example: over_seeds(lambda seed: summarize(simulate(setup, 20, 2000, 1024, 256, seed), 1, 0.04)["ttft_p99"]).
    """
    return confidence(run(seed) for seed in seeds)


def _t95(degrees):
    if degrees <= len(_T95):
        return _T95[degrees - 1]
    z = NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
