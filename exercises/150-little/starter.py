"""Exercise 150: requests in flight by Little's law."""


def in_flight(rate: int, queue_ms: int, prefill_ms: int, tpot_ms: int, output_tokens: int) -> float:
    """The average number of requests in the system, waiting ones included.

    rate: requests per second. queue_ms, prefill_ms, tpot_ms: milliseconds.
    output_tokens: at least 1; the first comes at the end of the prefill.
    """
    raise NotImplementedError


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
    """Averages over the fleet and the instances they need: "in_flight", "running", "kv_bytes", "instances", "gpus".

    slots, kv_bytes: what one instance offers.
    """
    raise NotImplementedError
