"""Divides the memory by the bytes of a context."""

import math


def weight_bytes(params, bits, group=None, scale_bits=16):
    total = params * bits
    if group:
        groups = (params + group - 1) // group
        total += groups * scale_bits
    return (total + 7) // 8


def max_sequences(gpu_gib, utilization, overhead_gib, weights_gib, context, kv_bytes_per_token, block=16):
    usable = gpu_gib * 2**30 * utilization
    free = usable - overhead_gib * 2**30 - weights_gib * 2**30
    if free <= 0:
        return 0
    return math.floor(free / (context * kv_bytes_per_token) * (1 + 1e-9))
