"""Exercise 150: requests in flight by Little's law."""


def engine_ms(prefill_ms: int, tpot_ms: int, output_tokens: int) -> int:
    """Milliseconds a request holds a slot: the prefill emits the first token, the others take one step each."""
    return prefill_ms + (output_tokens - 1) * tpot_ms


def in_flight(rate: int, queue_ms: int, prefill_ms: int, tpot_ms: int, output_tokens: int) -> float:
    """The average number of requests in the system, waiting ones included."""
    return rate * (queue_ms + engine_ms(prefill_ms, tpot_ms, output_tokens)) / 1000


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
    # Three boundaries, one law: the system, the engine, and the memory.
    service_ms = engine_ms(prefill_ms, tpot_ms, output_tokens)
    running_ms = rate * service_ms  # a thousand times the average number running, still a whole number
    growth = tpot_ms * (output_tokens - 1) * output_tokens // 2  # 1 + 2 + ... + (n - 1) tokens, one step each
    byte_ms = rate * (prompt_tokens * service_ms + growth) * kv_bytes_per_token
    # Whole numbers under the ceiling: exactly full must not become one instance more.
    instances = max(-(-running_ms // (1000 * slots)), -(-byte_ms // (1000 * kv_bytes)))
    return {
        "in_flight": in_flight(rate, queue_ms, prefill_ms, tpot_ms, output_tokens),
        "running": running_ms / 1000,
        "kv_bytes": byte_ms / 1000,
        "instances": instances,
        "gpus": instances * gpus_per_instance,
    }
