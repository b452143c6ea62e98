"""Exercise 203: how many sequences fit on a card."""

import math

GIB = 2**30
ROUNDING = 1e-9  # a float quotient this close to a whole number is that number


def weight_bytes(params, bits, group=None, scale_bits=16):
    """Bytes of the weights, with their scales: 4 bits in groups of 128 are 4.125 bits a weight."""
    total_bits = params * bits
    if group is not None:
        total_bits += ceil_div(params, group) * scale_bits
    return ceil_div(total_bits, 8)


def max_sequences(gpu_gib, utilization, overhead_gib, weights_gib, context, kv_bytes_per_token, block=16):
    """Sequences of `context` tokens that fit beside the weights."""
    # The overhead is part of what the engine may use: (24 x 0.9) - 1.6, not (24 - 1.6) x 0.9.
    kv_memory = (gpu_gib * utilization - overhead_gib - weights_gib) * GIB
    blocks = kv_memory / (block * kv_bytes_per_token)
    whole_blocks = math.floor(blocks + ROUNDING * abs(blocks))
    return max(0, whole_blocks) // ceil_div(context, block)


def ceil_div(a, b):
    """Quotient of whole numbers, rounded up without a float."""
    return -(-a // b)
