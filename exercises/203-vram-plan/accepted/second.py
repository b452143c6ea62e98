"""Sequences on a card, with the KV memory as an exact fraction of bytes."""

from fractions import Fraction

GIB = 2**30
ALMOST = Fraction(1, 10**9)


def weight_bytes(params, bits, group=None, scale_bits=16):
    """Bytes of the weights, with their scales, rounded up once."""
    groups = 0 if group is None else ceil_div(params, group)
    return ceil_div(params * bits + groups * scale_bits, 8)


def max_sequences(gpu_gib, utilization, overhead_gib, weights_gib, context, kv_bytes_per_token, block=16):
    """Sequences of `context` tokens that fit beside the weights."""
    kv_gib = Fraction(gpu_gib * utilization) - Fraction(overhead_gib) - Fraction(weights_gib)
    if kv_gib <= 0:
        return 0
    return whole(kv_gib * GIB / (block * kv_bytes_per_token)) // ceil_div(context, block)


def whole(quotient):
    """Floor, except that a quotient just below a whole number is that number."""
    nearest = round(quotient)
    return nearest if abs(quotient - nearest) <= ALMOST * nearest else quotient // 1


def ceil_div(a, b):
    """a / b, rounded up."""
    return -(-a // b)
