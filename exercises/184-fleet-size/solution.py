"""Exercise 184: from requests per second to a number of GPUs."""

import math

ROUNDING = 1e-9  # a float quotient this close to a whole number is that number


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
    """Size the decode fleet: batch, binding limit, step time, rate per instance, instances, GPUs."""
    # The reserve is taken on every GPU, the weights once per instance: 8 * (72 - 4) - 141 = 403 GB.
    kv_budget = gpus_per_instance * (gpu_bytes * utilization - reserved_bytes) - weight_bytes
    if whole_below(kv_budget / (kv_bytes_per_token * (input_tokens + output_tokens))) < 1:
        raise ValueError(f"one request at full length does not fit into the KV memory of {kv_budget / 1e9:.1f} GB")

    # In steady state sequences are spread evenly over their lives, so the average one is half-way through its answer.
    sequence_bytes = kv_bytes_per_token * (input_tokens + output_tokens / 2)
    bandwidth = gpus_per_instance * gpu_bandwidth
    allowed = {
        "memory": whole_below(kv_budget / sequence_bytes),
        "tpot": whole_below((tpot_seconds * bandwidth - weight_bytes) / sequence_bytes),
    }
    if max_sequences is not None:
        allowed["max_sequences"] = max_sequences
    limit = min(allowed, key=allowed.get)  # of equals the first, in the order written above
    batch = allowed[limit]
    if batch < 1:
        raise ValueError("reading the weights and one sequence already takes longer than the TPOT")

    step_seconds = (weight_bytes + batch * sequence_bytes) / bandwidth
    # Little's law: batch sequences inside, each for output_tokens steps.
    rate = batch / (output_tokens * step_seconds)
    instances = whole_above(qps / (rate * load_target))
    return {
        "batch": batch,
        "limit": limit,
        "step_seconds": step_seconds,
        "requests_per_second": rate,
        "instances": instances,
        "gpus": instances * gpus_per_instance,
    }


def whole_below(quotient):
    """Floor that forgives float noise: 380.99999999999994 is 381."""
    return math.floor(quotient + ROUNDING * abs(quotient))


def whole_above(quotient):
    """Ceiling that forgives float noise: 25.000000000000004 is 25."""
    return math.ceil(quotient - ROUNDING * abs(quotient))
