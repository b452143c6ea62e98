"""Exercise 640: how many prefill and decode instances."""


def size_pools(phases: list[dict], prefill_speed: int, decode_speed: int) -> dict:
    """Instances per phase, and in all for fixed and for flexible roles.

    phases: dicts with "rate" (requests/s), "prompt", "output" (tokens per request) and "hit" (share of prompt tokens cached, 0 to 1).
    prefill_speed: prompt tokens/s of one prefill instance; decode_speed: output tokens/s of one decode instance.
    Returns {"per_phase": [(prefill, decode), ...], "fixed": int, "flexible": int}.
    Raises ValueError for a speed below 1 or a hit rate outside 0 to 1.
    """
    raise NotImplementedError
