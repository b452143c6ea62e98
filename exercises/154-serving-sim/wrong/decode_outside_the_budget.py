import random
from itertools import accumulate


def step_time(setup: dict, tokens: int, context: int) -> float:
    compute = 2 * setup["params"] * tokens / (setup["peak_flops"] * setup["mfu"])
    memory = (setup["weight_bytes"] + setup["kv_bytes_per_token"] * context) / setup["bandwidth"]
    return max(compute, memory) + setup["step_overhead"]


def arrivals(rate: float, num_requests: int, seed: int) -> list[float]:
    rng = random.Random(seed)
    return list(accumulate(rng.expovariate(rate) for _ in range(num_requests)))


def simulate(setup: dict, requests: list[tuple[float, int, int]]) -> list[tuple[float, int, float, float]]:
    capacity, most_seqs = setup["kv_capacity_tokens"], setup["max_num_seqs"]
    for _, input_len, output_len in requests:
        if input_len + output_len > capacity:
            raise ValueError(f"a request of {input_len} + {output_len} tokens never fits into {capacity} tokens of KV cache")

    first_token, finish = [0.0] * len(requests), [0.0] * len(requests)
    now, step, head = 0.0, 0, 0
    decoding, context, reserved = 0, 0, 0
    unfinished, rest = None, 0
    leaving = {}

    while head < len(requests) or decoding or unfinished is not None:
        if not decoding and unfinished is None:
            now = max(now, requests[head][0])
        budget = setup["max_num_batched_tokens"]
        chunk, completed = 0, []
        if unfinished is not None:
            chunk = min(rest, budget)
            rest -= chunk
            if rest == 0:
                completed.append(unfinished)
                unfinished = None
        running = decoding + len(completed) + (unfinished is not None)

        taken = chunk
        while head < len(requests) and taken < budget and running < most_seqs:
            arrival, input_len, output_len = requests[head]
            if arrival > now or reserved + input_len + output_len > capacity:
                break
            reserved += input_len + output_len
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

    def passes(rate):
        requests = [(arrival, input_len, output_len) for arrival in arrivals(rate, num_requests, seed)]
        return goodput(simulate(setup, requests), ttft_limit, tpot_limit)[1] >= 0.99

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
