def quantile(q: float, buckets: list[tuple[float, int]]) -> float | None:
    if q < 0 or q > 1:
        raise ValueError(f"q is {q}, but it must be above 0 and at most 1")
    total = buckets[-1][1]
    if total == 0:
        return None
    rank = q * total
    lower, count_before = 0.0, 0
    for upper, count in buckets[:-1]:
        if count >= rank:
            return lower + (upper - lower) * (rank - count_before) / (count - count_before)
        lower, count_before = upper, count
    return lower


def increase(earlier: list[tuple[float, int]], later: list[tuple[float, int]]) -> list[int]:
    counts = [count - old for (_, old), (_, count) in zip(earlier, later)]
    if any(count < 0 for count in counts):
        return [count for _, count in later]
    return counts


def fleet_quantile(q: float, before: dict, after: dict) -> float | None:
    if q < 0 or q > 1:
        raise ValueError(f"q is {q}, but it must be above 0 and at most 1")
    if not after:
        return None
    bounds = [bound for bound, _ in next(iter(after.values()))]
    totals = [0] * len(bounds)
    for name, later in after.items():
        earlier = before.get(name, [(bound, 0) for bound in bounds])
        for histogram in (earlier, later):
            if [bound for bound, _ in histogram] != bounds:
                raise ValueError(f"the bounds of replica {name} differ from those of the others")
        totals = [total + count for total, count in zip(totals, increase(earlier, later))]
    return quantile(q, list(zip(bounds, totals)))
