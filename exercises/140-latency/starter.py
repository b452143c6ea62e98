"""Exercise 140: latency metrics from an event log."""


def request_latency(sent: float, token_times: list[float]) -> dict:
    """The latencies of one request, in seconds: "ttft", "tpot" (or None), "itl" (a list) and "e2e".

    sent: when the request was sent.
    token_times: when its tokens arrived, ascending; equal times are possible.
    Raises ValueError when there is no token.
    """
    raise NotImplementedError


def summarize(events: list[tuple[float, str, str]], ttft_limit: float, tpot_limit: float) -> dict:
    """Percentiles, goodput and counts of a log.

    events: (time, request, kind) in ascending order of time; kind is "sent", "token" or "failed".
    ttft_limit, tpot_limit: what a good request must meet, in seconds, limits included.
    """
    raise NotImplementedError
