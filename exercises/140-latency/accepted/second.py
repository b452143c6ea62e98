"""Exercise 140: the log is sorted by request, so each request is one contiguous group of events."""

from itertools import chain, groupby, pairwise


def request_latency(sent: float, token_times: list[float]) -> dict:
    """The latencies of one request, in seconds."""
    if not token_times:
        raise ValueError("a request without tokens has no latency")
    first, last = token_times[0], token_times[-1]
    gaps = [later - earlier for earlier, later in pairwise(token_times)]
    return {"ttft": first - sent, "e2e": last - sent, "itl": gaps, "tpot": (last - first) / len(gaps) if gaps else None}


def nearest_rank(percent: int, values: list[float]) -> float | None:
    """The nearest-rank percentile; None of no values."""
    ordered = sorted(values)
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


def summarize(events: list[tuple[float, str, str]], ttft_limit: float, tpot_limit: float) -> dict:
    """Percentiles, goodput and counts of a log."""
    finished, unfinished = [], 0
    for _, group in groupby(sorted(events, key=lambda event: event[1]), key=lambda event: event[1]):
        times, _, kinds = zip(*group)
        if "token" in kinds and "failed" not in kinds:
            finished.append(request_latency(times[0], list(times[1:])))
        else:
            unfinished += 1

    ttfts = [latency["ttft"] for latency in finished]
    tpots = [latency["tpot"] for latency in finished if latency["tpot"] is not None]
    gaps = list(chain.from_iterable(latency["itl"] for latency in finished))
    good = sum(
        latency["ttft"] <= ttft_limit and (latency["tpot"] is None or latency["tpot"] <= tpot_limit) for latency in finished
    )
    seconds = events[-1][0] - events[0][0] if events else 0.0
    return {
        "ttft_p50": nearest_rank(50, ttfts),
        "ttft_p99": nearest_rank(99, ttfts),
        "tpot_p50": nearest_rank(50, tpots),
        "tpot_p99": nearest_rank(99, tpots),
        "itl_p50": nearest_rank(50, gaps),
        "itl_p99": nearest_rank(99, gaps),
        "e2e_p99": nearest_rank(99, [latency["e2e"] for latency in finished]),
        "goodput": good / seconds if seconds else 0.0,
        "finished": len(finished),
        "unfinished": unfinished,
    }
