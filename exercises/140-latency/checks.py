"""Hidden checks of exercise 140: latency metrics from an event log."""

from practice.kernel.expect import expect_close, expect_equal, expect_raises

EXAMPLE = [
    (0.0, "a", "sent"), (0.5, "a", "token"), (1.0, "a", "token"), (1.25, "b", "sent"), (1.5, "a", "token"),
    (1.5, "b", "token"), (1.75, "c", "sent"), (2.0, "c", "token"),
]


def log_of(requests, failures=()):
    """Events of {name: (sent, token times)}, merged in order of time; failures are (time, name)."""
    events = []
    for name, (sent, times) in requests.items():
        events.append((sent, name, "sent"))
        events += [(time, name, "token") for time in times]
    events += [(time, name, "failed") for time, name in failures]
    order = {"sent": 0, "token": 1, "failed": 2}
    return sorted(events, key=lambda event: (event[0], order[event[2]], event[1]))


def check_example_log(sub):
    """The worked example of the prompt"""
    expected = {
        "ttft_p50": 0.25, "ttft_p99": 0.5, "tpot_p50": 0.5, "tpot_p99": 0.5, "itl_p50": 0.5, "itl_p99": 0.5,
        "e2e_p99": 1.5, "goodput": 1.0, "finished": 3, "unfinished": 0,
    }
    expect_close(sub.summarize(EXAMPLE, 0.25, 0.5), expected, "see the arithmetic of the prompt")


def check_example_request(sub):
    """One request with evenly spaced tokens"""
    expected = {"ttft": 0.5, "tpot": 0.5, "itl": [0.5, 0.5], "e2e": 1.5}
    expect_close(sub.request_latency(0.0, [0.5, 1.0, 1.5]), expected, "three tokens, two gaps")


def check_slow_first_token(sub):
    """A slow first token does not spoil TPOT"""
    got = sub.request_latency(10.0, [12.0, 12.25, 12.5, 12.75, 13.0])
    expected = {"ttft": 2.0, "tpot": 0.25, "itl": [0.25] * 4, "e2e": 3.0}
    expect_close(got, expected, "TPOT starts at the first token: n tokens have n - 1 gaps")


def check_one_token(sub):
    """One token has no TPOT; no token is an error"""
    expect_close(sub.request_latency(1.0, [1.5]), {"ttft": 0.5, "tpot": None, "itl": [], "e2e": 0.5}, "one token has no gap to average")
    expect_raises(ValueError, lambda: sub.request_latency(1.0, []), "a request without tokens has no latency")
    got = sub.summarize(log_of({"a": (0.0, [1.0])}), 1.0, 0.0)
    expect_equal(got["tpot_p99"], None, "no request has a TPOT, so there is no percentile of it")


def check_one_packet(sub):
    """Two tokens in one packet are two tokens"""
    got = sub.request_latency(0.0, [1.0, 1.0, 2.0])
    expect_close(got, {"ttft": 1.0, "tpot": 0.5, "itl": [0.0, 1.0], "e2e": 2.0}, "tokens that arrive together have a gap of 0")


def check_median_of_two(sub):
    """The median of an even number of values"""
    got = sub.summarize(log_of({"a": (0.0, [1.0]), "b": (0.0, [3.0])}), 9.0, 9.0)
    expect_close(got["ttft_p50"], 1.0, "nearest rank: ceil(50 * 2 / 100) = 1, the first of two")
    # TTFT 1 to 100, TPOT and the only gap 0.5 to 50, E2E 1.5 to 150: number 50 and number 99 of each.
    hundred = {f"r{i}": (0.0, [float(i), 1.5 * i]) for i in range(1, 101)}
    got = sub.summarize(log_of(hundred), 9.0, 9.0)
    expected = {"ttft_p50": 50.0, "ttft_p99": 99.0, "tpot_p50": 25.0, "tpot_p99": 49.5, "itl_p50": 25.0, "itl_p99": 49.5, "e2e_p99": 148.5}
    expect_close({key: got[key] for key in expected}, expected, "nearest rank: number 50 and number 99 of a hundred, for every metric")


def check_itl_is_pooled(sub):
    """One long stall in a long answer"""
    steady = [1.0 + 0.125 * i for i in range(60)]
    stalled = [1.0 + 0.125 * i + (4.0 if i >= 30 else 0.0) for i in range(60)]
    got = sub.summarize(log_of({"steady": (0.0, steady), "stalled": (0.0, stalled)}), 9.0, 9.0)
    # 118 gaps, one of them 4.125 s: the P99 is number 117, still 0.125, while the mean of the stalled request is not.
    expect_close(got["itl_p99"], 0.125, "the gaps of all requests are pooled: 118 gaps, one of them long, and the P99 is number 117")
    expect_close(got["tpot_p99"], (steady[-1] - 1.0 + 4.0) / 59, "TPOT, unlike ITL, is one number per request")
    short = {f"r{i}": (0.0, [1.0, 1.25]) for i in range(9)}
    got = sub.summarize(log_of({**short, "long": (0.0, [1.0 + 0.5 * i for i in range(20)])}), 9.0, 9.0)
    expect_close(got["itl_p50"], 0.5, "pooled: 19 gaps of the long request against 9 of the short ones")


def check_goodput_counts_requests(sub):
    """Goodput of requests with many tokens"""
    requests = {"a": (0.0, [0.5, 1.0, 1.5, 2.0]), "b": (0.0, [0.5, 1.0, 1.5]), "late": (0.0, [3.0, 3.5, 4.0])}
    got = sub.summarize(log_of(requests), 1.0, 0.5)
    expect_close(got["goodput"], 0.5, "goodput is in requests per second: 2 good requests in 4 s")


def check_limits_are_included(sub):
    """Exactly at the limits, and just over one of them"""
    requests = {"at": (0.0, [0.5, 0.75]), "ttft": (0.0, [0.625, 0.75]), "tpot": (0.0, [0.5, 0.8125])}
    got = sub.summarize(log_of({**requests, "end": (1.0, [2.0])}), 0.5, 0.25)
    expect_close(got["goodput"], 0.5, "a latency equal to its limit is good, and both limits must be met: 1 good request in 2 s")
    got = sub.summarize(log_of({"quick": (0.0, [0.25])}), 0.5, 0.25)
    expect_close(got["goodput"], 4.0, "1 good request in a quarter of a second")


def check_failed_request(sub):
    """A stream that broke off, and one that never began"""
    requests = {"a": (1.0, [3.0, 4.0]), "broken": (1.0, [1.5, 1.75]), "silent": (4.5, [])}
    events = log_of(requests, failures=[(2.0, "broken"), (5.0, "silent")])
    got = sub.summarize(events, 9.0, 9.0)
    expect_close(got["ttft_p50"], 2.0, "a failed request has no latency, however quick its first token was")
    expect_close(got["goodput"], 0.25, "a failed request is not good: 1 good request in 4 s, the last event being a failure")
    expect_equal([got["finished"], got["unfinished"]], [1, 2], "failed requests count as unfinished")
    got = sub.summarize(log_of({"a": (0.0, [1.0]), "silent": (2.0, [])}), 9.0, 9.0)
    expect_equal([got["finished"], got["unfinished"]], [1, 1], "a request without a token by the end of the log is unfinished")
    expect_close(got["goodput"], 0.5, "the log lasts from its first to its last event, whatever their kind")


def check_empty_log(sub):
    """Logs without a finished request"""
    nothing = {key: None for key in ("ttft_p50", "ttft_p99", "tpot_p50", "tpot_p99", "itl_p50", "itl_p99", "e2e_p99")}
    idea = "of no values a percentile is None"
    expect_equal(sub.summarize([], 1.0, 1.0), {**nothing, "goodput": 0.0, "finished": 0, "unfinished": 0}, idea)
    got = sub.summarize([(3.0, "a", "sent")], 1.0, 1.0)
    expect_equal(got, {**nothing, "goodput": 0.0, "finished": 0, "unfinished": 1}, "a log that lasts no time has goodput 0")
    got = sub.summarize([(3.0, "a", "sent"), (3.0, "a", "token")], 1.0, 1.0)
    expect_equal(got["goodput"], 0.0, "a log that lasts no time has goodput 0, not a division by zero")


def random_log(rng, count):
    requests, failures = {}, []
    for i in range(count):
        sent = rng.uniform(0, 20)
        times, time = [], sent + rng.uniform(0.05, 2.0)
        for _ in range(rng.randrange(0, 12)):
            times.append(time)
            time += rng.choice([0.0, 0.03, 0.04, rng.uniform(0.01, 0.5)])
        requests[f"r{i}"] = (sent, times)
        if rng.random() < 0.1:
            failures.append((time, f"r{i}"))
    return log_of(requests, failures)


def check_random(sub, ref, rng):
    """Random logs, compared with the reference"""
    for count in [1, 2, 3, 10, 25, 40, 100]:
        events = random_log(rng, count)
        copy = list(events)
        got = sub.summarize(events, 1.0, 0.123)
        expect_close(got, ref.summarize(copy, 1.0, 0.123), f"a log of {count} interleaved requests, some failed")
        expect_equal(events, copy, "the log must not be changed")
