"""Exercise 185: the batch at which a projection turns compute-bound."""

import math
from fractions import Fraction


def ridge_batch(gpu, weight_bits, activation_bits):
    """Tokens at which computing takes as long as reading the weights: 295.2, 295.4 and 73.8 on an H100."""
    # 2 m / peak = weight bytes / bandwidth
    return float(flops_per_byte(gpu, activation_bits) * Fraction(weight_bits, 16))


def first_compute_bound(gpu, weight_bits, activation_bits, k, n):
    """Smallest number of tokens for which (m x k) @ (k x n) is bound by computing, or None."""
    ridge = flops_per_byte(gpu, activation_bits)
    # Every token computes 2 k n FLOP, and moves a row of activations and a row of the output.
    moved_per_token = ridge * Fraction(k * activation_bits + n * 16, 8)
    gain = 2 * k * n - moved_per_token
    if gain <= 0:
        return None  # each token brings more traffic than work, so more tokens never help
    return math.ceil(ridge * Fraction(k * n * weight_bits, 8) / gain)


def flops_per_byte(gpu, activation_bits):
    """Ridge of the GPU for products in this width, exactly."""
    widths = [bits for bits in gpu["peak_flops"] if bits >= activation_bits]
    if not widths:
        raise ValueError(f"no matrix units for activations of {activation_bits} bits")
    dense = Fraction(gpu["peak_flops"][min(widths)], 2 if gpu["sparse"] else 1)
    return dense / gpu["bandwidth"]
