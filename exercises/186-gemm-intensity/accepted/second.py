"""Arithmetic intensity as an exact fraction, so that the ridge itself is decided exactly."""

from fractions import Fraction


def exact_intensity(m, k, n, act_bits, weight_bits, out_bits):
    """FLOP per byte of (m x k) @ (k x n), as a Fraction."""
    moved_bits = act_bits * m * k + weight_bits * k * n + out_bits * m * n
    return Fraction(8 * 2 * m * k * n, moved_bits)


def intensity(m, k, n, act_bits=16, weight_bits=16, out_bits=16):
    """FLOP per byte of (m x k) @ (k x n)."""
    return float(exact_intensity(m, k, n, act_bits, weight_bits, out_bits))


def regime(m, k, n, peak_flops, bandwidth, act_bits=16, weight_bits=16, out_bits=16):
    """"compute" or "memory": which side of the ridge peak_flops / bandwidth the product is on."""
    ridge = Fraction(peak_flops) / Fraction(bandwidth)
    return "compute" if exact_intensity(m, k, n, act_bits, weight_bits, out_bits) >= ridge else "memory"
