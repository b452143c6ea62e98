def engine_ms(prefill_ms: int, tpot_ms: int, output_tokens: int) -> int:
    return prefill_ms + (output_tokens - 1) * tpot_ms


def in_flight(rate: int, queue_ms: int, prefill_ms: int, tpot_ms: int, output_tokens: int) -> float:
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
    service_ms = engine_ms(prefill_ms, tpot_ms, output_tokens)
    running_ms = rate * service_ms
    growth = tpot_ms * (output_tokens - 1) * output_tokens
    byte_ms = rate * (prompt_tokens * service_ms + growth) * kv_bytes_per_token
    instances = max(-(-running_ms // (1000 * slots)), -(-byte_ms // (1000 * kv_bytes)))
    return {
        "in_flight": in_flight(rate, queue_ms, prefill_ms, tpot_ms, output_tokens),
        "running": running_ms / 1000,
        "kv_bytes": byte_ms / 1000,
        "instances": instances,
        "gpus": instances * gpus_per_instance,
    }
