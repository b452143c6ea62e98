"""From requests per second to GPUs: every limit is a whole number of sequences, and the smallest one is the batch."""

import math


def plan(
    qps,
    input_tokens,
    output_tokens,
    tpot_seconds,
    weight_bytes,
    kv_bytes_per_token,
    *,
    gpus_per_instance=8,
    gpu_bytes=80e9,
    gpu_bandwidth=3350e9,
    utilization=0.9,
    reserved_bytes=4e9,
    load_target=0.7,
    max_sequences=None,
):
    """Size the decode fleet; see the prompt for the keys of the dict."""
    kv_room = gpus_per_instance * (gpu_bytes * utilization - reserved_bytes) - weight_bytes
    bandwidth = gpus_per_instance * gpu_bandwidth
    kv_readable = bandwidth * tpot_seconds - weight_bytes
    mean_kv = kv_bytes_per_token * (input_tokens + output_tokens / 2)
    longest_kv = kv_bytes_per_token * (input_tokens + output_tokens)

    if whole_below(kv_room / longest_kv) < 1:
        raise ValueError(f"memory: one full request needs {longest_kv:.4g} bytes of KV, there are {kv_room:.4g}")
    limits = {"memory": whole_below(kv_room / mean_kv), "tpot": whole_below(kv_readable / mean_kv)}
    if limits["tpot"] < 1:
        raise ValueError(f"TPOT: a step with one sequence takes longer than {tpot_seconds} s")
    if max_sequences is not None:
        limits["max_sequences"] = max_sequences

    limit = min(limits, key=limits.get)  # the first of equal ones
    batch = limits[limit]
    step_seconds = (weight_bytes + batch * mean_kv) / bandwidth
    rate = batch / (output_tokens * step_seconds)
    instances = -whole_below(-qps / (rate * load_target))
    return {
        "batch": batch,
        "limit": limit,
        "step_seconds": step_seconds,
        "requests_per_second": rate,
        "instances": instances,
        "gpus": instances * gpus_per_instance,
    }


def whole_below(quotient):
    """Floor, except that a quotient within 1e-9 of a whole number is that number."""
    nearest = round(quotient)
    return nearest if math.isclose(quotient, nearest, rel_tol=1e-9) else math.floor(quotient)
