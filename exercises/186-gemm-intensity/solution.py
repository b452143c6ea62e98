"""Exercise 186: arithmetic intensity of a matrix product."""


def intensity(m, k, n, act_bits=16, weight_bits=16, out_bits=16):
    """FLOP per byte of (m x k) @ (k x n), each matrix moved once."""
    # 2 m / weight bytes is the limit for k and n much larger than m; here m x k and m x n count as well.
    bits = m * k * act_bits + k * n * weight_bits + m * n * out_bits
    return 2 * m * k * n / (bits / 8)


def regime(m, k, n, peak_flops, bandwidth, act_bits=16, weight_bits=16, out_bits=16):
    """ "compute" where the intensity reaches the ridge of the machine, else "memory"."""
    ridge = peak_flops / bandwidth
    return "compute" if intensity(m, k, n, act_bits, weight_bits, out_bits) >= ridge else "memory"
