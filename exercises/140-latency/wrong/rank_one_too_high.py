def request_latency(sent: float, token_times: list[float]) -> dict:
    if not token_times:
        raise ValueError("a request without tokens has no latency")
    first, last = token_times[0], token_times[-1]
    gaps = [later - earlier for earlier, later in zip(token_times, token_times[1:])]
    tpot = (last - first) / len(gaps) if gaps else None
    return {"ttft": first - sent, "tpot": tpot, "itl": gaps, "e2e": last - sent}


def percentile(values: list[float], percent: int) -> float | None:
    if not values:
        return None
    index = int(percent * len(values) / 100)
    return sorted(values)[min(index, len(values) - 1)]


def summarize(events: list[tuple[float, str, str]], ttft_limit: float, tpot_limit: float) -> dict:
    sent, tokens, failed = {}, {}, set()
    for time, request, kind in events:
        if kind == "sent":
            sent[request] = time
        elif kind == "token":
            tokens.setdefault(request, []).append(time)
        else:
            failed.add(request)

    finished = [request_latency(sent[request], times) for request, times in tokens.items() if request not in failed]
    good = [r for r in finished if r["ttft"] <= ttft_limit and (r["tpot"] is None or r["tpot"] <= tpot_limit)]
    ttft = [r["ttft"] for r in finished]
    tpot = [r["tpot"] for r in finished if r["tpot"] is not None]
    itl = [gap for r in finished for gap in r["itl"]]
    duration = events[-1][0] - events[0][0] if events else 0.0
    return {
        "ttft_p50": percentile(ttft, 50),
        "ttft_p99": percentile(ttft, 99),
        "tpot_p50": percentile(tpot, 50),
        "tpot_p99": percentile(tpot, 99),
        "itl_p50": percentile(itl, 50),
        "itl_p99": percentile(itl, 99),
        "e2e_p99": percentile([r["e2e"] for r in finished], 99),
        "goodput": len(good) / duration if duration > 0 else 0.0,
        "finished": len(finished),
        "unfinished": len(sent) - len(finished),
    }
