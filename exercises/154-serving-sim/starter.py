"""Exercise 154: a serving simulator and its knee."""

import random


def step_time(setup: dict, tokens: int, context: int) -> float:
    """Seconds of one step that runs `tokens` tokens and reads the KV of `context` tokens."""
    raise NotImplementedError


def arrivals(rate: float, num_requests: int, seed: int) -> list[float]:
    """Poisson arrival times in seconds: the running sum of random.Random(seed).expovariate(rate)."""
    raise NotImplementedError


def simulate(setup: dict, requests: list[tuple[float, int, int]]) -> list[tuple[float, int, float, float]]:
    """One engine with continuous batching and chunked prefill.

    requests: (arrival, input_len, output_len), sorted by arrival.
    Returns (arrival, output_len, first_token, finish) in the same order.
    Raises ValueError when a request can never fit into the KV cache.
    """
    raise NotImplementedError


def goodput(records: list[tuple[float, int, float, float]], ttft_limit: float, tpot_limit: float) -> tuple[float, float]:
    """(Good requests per second, share of good requests) of what `simulate` returned."""
    raise NotImplementedError


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
    raise NotImplementedError
