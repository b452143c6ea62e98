"""Gives the output the activations' width."""

import math
from fractions import Fraction


def peak_of(gpu, bits):
    for width in sorted(gpu["peak_flops"]):
        if width >= bits:
            peak = gpu["peak_flops"][width]
            return Fraction(peak, 2) if gpu["sparse"] else Fraction(peak)
    raise ValueError(f"no units for {bits} bits")


def ridge_batch(gpu, weight_bits, activation_bits):
    peak = peak_of(gpu, activation_bits)
    return float(peak / gpu["bandwidth"] * weight_bits / 8 / 2)


def first_compute_bound(gpu, weight_bits, activation_bits, k, n):
    ratio = peak_of(gpu, activation_bits) / gpu["bandwidth"]
    weights = Fraction(k * n * weight_bits, 8)
    per_token = Fraction((k + n) * activation_bits, 8)
    slope = 2 * k * n - ratio * per_token
    if slope <= 0:
        return None
    return math.ceil(ratio * weights / slope)
