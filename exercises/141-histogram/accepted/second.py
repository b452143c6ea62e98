"""Exercise 141: the bucket is found by bisection, and replicas are added column by column."""

from bisect import bisect_left


def check_quantile(q: float) -> None:
    """Raise ValueError unless 0 < q <= 1; a NaN fails both comparisons."""
    if not 0 < q <= 1:
        raise ValueError(f"q is {q}, but it must be above 0 and at most 1")


def quantile(q: float, buckets: list[tuple[float, int]]) -> float | None:
    """The estimated q-quantile in seconds; None when nothing was observed."""
    check_quantile(q)
    bounds, counts = zip(*buckets)
    if not counts[-1]:
        return None
    rank = q * counts[-1]
    place = bisect_left(counts, rank)
    if place == len(bounds) - 1:
        return bounds[-2]
    lower, before = (bounds[place - 1], counts[place - 1]) if place else (0.0, 0)
    return lower + (bounds[place] - lower) * (rank - before) / (counts[place] - before)


def fleet_quantile(q: float, before: dict, after: dict) -> float | None:
    """The q-quantile of all that the fleet observed between two scrapes; None when nothing was."""
    check_quantile(q)
    if not after:
        return None
    involved = [*after.values(), *(before[name] for name in before.keys() & after.keys())]
    bounds = [bound for bound, _ in involved[0]]
    if any([bound for bound, _ in histogram] != bounds for histogram in involved):
        raise ValueError("the histograms have different bounds")

    windows = []
    for name, histogram in after.items():
        new = [count for _, count in histogram]
        old = [count for _, count in before.get(name, [])] or [0] * len(new)
        grown = [count - earlier for count, earlier in zip(new, old)]
        windows.append(new if min(grown) < 0 else grown)
    return quantile(q, list(zip(bounds, map(sum, zip(*windows)))))
