"""Takes the larger of the limits: "as large a batch as possible"."""

import math

EPS = 1e-9


def plan(qps, input_tokens, output_tokens, tpot_seconds, weight_bytes, kv_bytes_per_token, *, gpus_per_instance=8, gpu_bytes=80e9,
         gpu_bandwidth=3350e9, utilization=0.9, reserved_bytes=4e9, load_target=0.7, max_sequences=None):
    free = gpus_per_instance * (gpu_bytes * utilization - reserved_bytes) - weight_bytes
    if free * (1 + EPS) < kv_bytes_per_token * (input_tokens + output_tokens):
        raise ValueError("not enough memory for one request")
    bw = gpus_per_instance * gpu_bandwidth
    context = input_tokens + output_tokens / 2
    per_seq = kv_bytes_per_token * context
    by_memory = free / per_seq
    by_tpot = (tpot_seconds * bw - weight_bytes) / per_seq
    by_memory = math.floor(by_memory + EPS * abs(by_memory))
    by_tpot = math.floor(by_tpot + EPS * abs(by_tpot))
    if by_tpot < 1:
        raise ValueError("TPOT too short for a single sequence")
    batch = max(by_memory, by_tpot)
    limit = "memory" if by_memory <= by_tpot else "tpot"
    if max_sequences is not None and max_sequences < batch:
        batch, limit = max_sequences, "max_sequences"
    step = (weight_bytes + batch * per_seq) / bw
    rate = batch / (step * output_tokens)
    need = qps / (rate * load_target)
    instances = math.ceil(need - EPS * need)
    return {"batch": batch, "limit": limit, "step_seconds": step, "requests_per_second": rate,
            "instances": instances, "gpus": instances * gpus_per_instance}
