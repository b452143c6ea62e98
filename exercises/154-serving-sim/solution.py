"""Exercise 154: a serving simulator and its knee."""

import random
from itertools import accumulate


def step_time(setup: dict, tokens: int, context: int) -> float:
    """Seconds of one step: the slower of computing and of reading weights and KV, plus the overhead."""
    compute = 2 * setup["params"] * tokens / (setup["peak_flops"] * setup["mfu"])
    memory = (setup["weight_bytes"] + setup["kv_bytes_per_token"] * context) / setup["bandwidth"]
    return max(compute, memory) + setup["step_overhead"]


def arrivals(rate: float, num_requests: int, seed: int) -> list[float]:
    """Poisson arrival times in seconds."""
    rng = random.Random(seed)
    return list(accumulate(rng.expovariate(rate) for _ in range(num_requests)))


def simulate(setup: dict, requests: list[tuple[float, int, int]]) -> list[tuple[float, int, float, float]]:
    """One engine with continuous batching and chunked prefill.

    Two observations keep the state to a few numbers. Admission takes at least one token of the budget, so never more requests run than
    the budget has tokens: every decoding request gets its token in every step, and its last step is known when it starts decoding. And
    a prompt is cut only where the budget ends, so at most one prompt is unfinished, that of the request admitted last.
    """
    capacity, most_seqs = setup["kv_capacity_tokens"], setup["max_num_seqs"]
    for _, input_len, output_len in requests:
        if input_len + output_len > capacity:
            raise ValueError(f"a request of {input_len} + {output_len} tokens never fits into {capacity} tokens of KV cache")

    first_token, finish = [0.0] * len(requests), [0.0] * len(requests)
    now, step, head = 0.0, 0, 0  # head: the first request that is not admitted
    decoding, context, reserved = 0, 0, 0
    unfinished, rest = None, 0  # the request whose prompt is cut, and what is left of it
    leaving = {}  # number of a step -> requests that get their last token in it

    while head < len(requests) or decoding or unfinished is not None:
        if not decoding and unfinished is None:
            now = max(now, requests[head][0])
        budget = setup["max_num_batched_tokens"] - decoding
        chunk, completed = 0, []
        if unfinished is not None:
            chunk = min(rest, budget)
            rest -= chunk
            if rest == 0:
                completed.append(unfinished)
                unfinished = None
        running = decoding + len(completed) + (unfinished is not None)

        taken = chunk  # prompt tokens of this step
        while head < len(requests) and taken < budget and running < most_seqs:
            arrival, input_len, output_len = requests[head]
            if arrival > now or reserved + input_len + output_len > capacity:
                break  # first come first served: nobody overtakes the head
            reserved += input_len + output_len  # the final length, so that nothing ever has to be preempted
            part = min(input_len, budget - taken)
            taken += part
            if part == input_len:
                completed.append(head)
            else:
                unfinished, rest = head, input_len - part
            running += 1
            head += 1

        now += step_time(setup, decoding + taken, context)
        context += decoding + taken + len(completed)
        for request in leaving.pop(step, ()):
            finish[request] = now
            decoding -= 1
            context -= requests[request][1] + requests[request][2]
            reserved -= requests[request][1] + requests[request][2]
        for request in completed:
            _, input_len, output_len = requests[request]
            first_token[request] = now
            if output_len == 1:
                finish[request] = now
                context -= input_len + 1
                reserved -= input_len + 1
            else:
                decoding += 1
                leaving.setdefault(step + output_len - 1, []).append(request)
        step += 1

    return [(arrival, output_len, *times) for (arrival, _, output_len), *times in zip(requests, first_token, finish)]


def goodput(records: list[tuple[float, int, float, float]], ttft_limit: float, tpot_limit: float) -> tuple[float, float]:
    """(Good requests per second, share of good requests)."""
    good = 0
    for arrival, output_len, first, finish in records:
        tpot = (finish - first) / (output_len - 1) if output_len > 1 else 0.0
        good += first - arrival <= ttft_limit and tpot <= tpot_limit
    duration = max(record[3] for record in records) - min(record[0] for record in records)
    return good / duration, good / len(records)


def knee(
    setup: dict,
    input_len: int,
    output_len: int,
    ttft_limit: float,
    tpot_limit: float,
    num_requests: int,
    low: float,
    high: float,
    halvings: int,
    seed: int,
) -> float:
    """The highest rate tried at which at least 99% of the requests are good; 0.0 when there is none."""

    def passes(rate):
        requests = [(arrival, input_len, output_len) for arrival in arrivals(rate, num_requests, seed)]
        return goodput(simulate(setup, requests), ttft_limit, tpot_limit)[1] >= 0.99

    # The same seed at each rate: the same users, only closer together, so that the answer depends on the rate alone.
    start, best = low, 0.0
    for _ in range(halvings):
        middle = (low + high) / 2
        if passes(middle):
            low = best = middle
        else:
            high = middle
    if best == 0.0 and passes(start):
        best = start
    return best
