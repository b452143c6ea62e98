"""Exercise 154: a request that decodes takes one token in every step, so the step of its last token is known at once.

Steps are numbered, and no running request is visited but the one with an unfinished prompt. There is at most one: a
prompt stays unfinished only when it used up the budget, and then nobody behind it is admitted.
"""

import random
from collections import defaultdict
from itertools import accumulate


def step_time(setup: dict, tokens: int, context: int) -> float:
    """Seconds of one step that runs `tokens` tokens and reads the KV of `context` tokens."""
    compute = 2 * setup["params"] * tokens / (setup["peak_flops"] * setup["mfu"])
    memory = (setup["weight_bytes"] + setup["kv_bytes_per_token"] * context) / setup["bandwidth"]
    return max(compute, memory) + setup["step_overhead"]


def arrivals(rate: float, num_requests: int, seed: int) -> list[float]:
    """Poisson arrival times in seconds."""
    rng = random.Random(seed)
    return list(accumulate(rng.expovariate(rate) for _ in range(num_requests)))


class Engine:
    """The engine at the start of a step. Requests are known by their place in the list."""

    def __init__(self, setup: dict, requests: list[tuple[float, int, int]]):
        self.setup = setup
        self.requests = requests
        self.head = 0  # the first request not yet admitted
        self.now = 0.0
        self.step = 0
        self.running = 0
        self.decoding = 0
        self.reserved = 0  # final lengths of what runs
        self.context = 0  # tokens in the KV cache
        self.partial = None  # (request, tokens of its prompt still to run)
        self.last_step = defaultdict(list)  # step -> requests whose last token it gives
        self.first_token = [0.0] * len(requests)
        self.finish = [0.0] * len(requests)

    def is_admissible(self) -> bool:
        """Whether the head of the queue has arrived and fits."""
        if self.head == len(self.requests) or self.running == self.setup["max_num_seqs"]:
            return False
        arrival, prompt, output = self.requests[self.head]
        return arrival <= self.now and self.reserved + prompt + output <= self.setup["kv_capacity_tokens"]

    def chunks(self, budget: int) -> list[tuple[int, int, int]]:
        """The prefill of this step: (request, tokens it takes, tokens left after it). Admits on the way."""
        taken = []
        while budget and (self.partial or self.is_admissible()):
            request, rest = self.partial or self.admit()
            self.partial = None
            tokens = min(rest, budget)
            budget -= tokens
            taken.append((request, tokens, rest - tokens))
        return taken

    def admit(self) -> tuple[int, int]:
        """Take the head of the queue in; returns it with its prompt's length."""
        request, (_, prompt, output) = self.head, self.requests[self.head]
        self.head += 1
        self.running += 1
        self.reserved += prompt + output
        return request, prompt

    def run_step(self) -> None:
        """Run one step, or jump to the next arrival first when there is nothing to do."""
        if not self.running:
            self.now = max(self.now, self.requests[self.head][0])
        chunks = self.chunks(self.setup["max_num_batched_tokens"] - self.decoding)
        tokens = self.decoding + sum(taken for _, taken, _ in chunks)
        self.now += step_time(self.setup, tokens, self.context)
        self.context += tokens
        for request, _, rest in chunks:
            if rest:
                self.partial = (request, rest)
            else:
                self.first_token[request] = self.now
                self.last_step[self.step + self.requests[request][2] - 1].append(request)
                self.context += 1
                self.decoding += 1
        for request in self.last_step.pop(self.step, ()):
            self.leave(request)
        self.step += 1

    def leave(self, request: int) -> None:
        """Let a request go that has all its tokens."""
        _, prompt, output = self.requests[request]
        self.finish[request] = self.now
        self.running -= 1
        self.decoding -= 1
        self.reserved -= prompt + output
        self.context -= prompt + output


def simulate(setup: dict, requests: list[tuple[float, int, int]]) -> list[tuple[float, int, float, float]]:
    """One engine with continuous batching and chunked prefill: (arrival, output_len, first_token, finish) of each request."""
    if any(prompt + output > setup["kv_capacity_tokens"] for _, prompt, output in requests):
        raise ValueError("a request is longer than the KV capacity")
    engine = Engine(setup, requests)
    while engine.running or engine.head < len(requests):
        engine.run_step()
    return [
        (arrival, output, first, finish)
        for (arrival, _, output), first, finish in zip(requests, engine.first_token, engine.finish)
    ]


def goodput(records: list[tuple[float, int, float, float]], ttft_limit: float, tpot_limit: float) -> tuple[float, float]:
    """(Good requests per second, share of good requests) of what `simulate` returned."""
    good = sum(
        first - arrival <= ttft_limit and (output == 1 or (finish - first) / (output - 1) <= tpot_limit)
        for arrival, output, first, finish in records
    )
    seconds = max(finish for *_, finish in records) - min(arrival for arrival, *_ in records)
    return good / seconds, good / len(records)


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

    def passes(rate: float) -> bool:
        requests = [(arrival, input_len, output_len) for arrival in arrivals(rate, num_requests, seed)]
        return goodput(simulate(setup, requests), ttft_limit, tpot_limit)[1] >= 0.99

    given = low
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if passes(middle) else (low, middle)
    return low if low != given or passes(given) else 0.0
