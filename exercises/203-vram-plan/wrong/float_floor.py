"""Trusts the last bit of a float."""

import math


def weight_bytes(params, bits, group=None, scale_bits=16):
    total = params * bits
    if group:
        groups = (params + group - 1) // group
        total += groups * scale_bits
    return (total + 7) // 8


def max_sequences(gpu_gib, utilization, overhead_gib, weights_gib, context, kv_bytes_per_token, block=16):
    usable = gpu_gib * utilization
    free = (usable - overhead_gib - weights_gib) * 2**30
    if free <= 0:
        return 0
    blocks = free / (block * kv_bytes_per_token)
    blocks = math.floor(blocks)
    per_sequence = (context + block - 1) // block
    return blocks // per_sequence
