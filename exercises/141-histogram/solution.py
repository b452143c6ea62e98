"""Exercise 141: fleet percentiles from histograms."""


def quantile(q: float, buckets: list[tuple[float, int]]) -> float | None:
    """The estimated q-quantile in seconds; None when nothing was observed."""
    if not 0 < q <= 1:  # written so that NaN is refused too
        raise ValueError(f"q is {q}, but it must be above 0 and at most 1")
    total = buckets[-1][1]
    if total == 0:
        return None
    rank = q * total
    lower, count_before = 0.0, 0
    for upper, count in buckets[:-1]:
        if count >= rank:
            # count > count_before, because count_before < rank: no division by zero.
            return lower + (upper - lower) * (rank - count_before) / (count - count_before)
        lower, count_before = upper, count
    return lower  # in the +Inf bucket: all we know is "more than the largest finite bound"


def increase(earlier: list[tuple[float, int]], later: list[tuple[float, int]]) -> list[int]:
    """Cumulative counts of what one replica observed between two scrapes."""
    counts = [count - old for (_, old), (_, count) in zip(earlier, later)]
    if any(count < 0 for count in counts):
        return [count for _, count in later]  # restarted: it began again at zero
    return counts


def fleet_quantile(q: float, before: dict, after: dict) -> float | None:
    """The q-quantile of all that the fleet observed between two scrapes; None when nothing was."""
    if not 0 < q <= 1:
        raise ValueError(f"q is {q}, but it must be above 0 and at most 1")
    if not after:
        return None
    bounds = [bound for bound, _ in next(iter(after.values()))]
    # Quantiles cannot be averaged, counts can be added: add first, take the quantile once.
    totals = [0] * len(bounds)
    for name, later in after.items():
        earlier = before.get(name, [(bound, 0) for bound in bounds])
        for histogram in (earlier, later):
            if [bound for bound, _ in histogram] != bounds:
                raise ValueError(f"the bounds of replica {name} differ from those of the others")
        totals = [total + count for total, count in zip(totals, increase(earlier, later))]
    return quantile(q, list(zip(bounds, totals)))
