"""Exercise 150: fractions all the way, turned into floats at the end."""

from fractions import Fraction
from math import ceil


def seconds_inside(prefill_ms: int, tpot_ms: int, output_tokens: int) -> Fraction:
    """Seconds that one request spends in the engine."""
    return Fraction(prefill_ms + (output_tokens - 1) * tpot_ms, 1000)


def in_flight(rate: int, queue_ms: int, prefill_ms: int, tpot_ms: int, output_tokens: int) -> float:
    """The average number of requests in the system, waiting ones included."""
    return float(rate * (Fraction(queue_ms, 1000) + seconds_inside(prefill_ms, tpot_ms, output_tokens)))


def plan(
    rate: int,
    queue_ms: int,
    prefill_ms: int,
    tpot_ms: int,
    prompt_tokens: int,
    output_tokens: int,
    kv_bytes_per_token: int,
    *,
    slots: int,
    kv_bytes: int,
    gpus_per_instance: int,
) -> dict:
    """Averages over the fleet and the instances they need."""
    inside = seconds_inside(prefill_ms, tpot_ms, output_tokens)
    emitted = output_tokens * (output_tokens - 1) // 2  # 1 + 2 + ... tokens, one term for each gap between two tokens
    token_seconds = prompt_tokens * inside + Fraction(tpot_ms * emitted, 1000)
    running = rate * inside
    held = rate * token_seconds * kv_bytes_per_token
    instances = max(ceil(running / slots), ceil(held / kv_bytes))
    return {
        "in_flight": in_flight(rate, queue_ms, prefill_ms, tpot_ms, output_tokens),
        "running": float(running),
        "kv_bytes": float(held),
        "instances": instances,
        "gpus": instances * gpus_per_instance,
    }
