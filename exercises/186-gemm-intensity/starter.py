"""Exercise 186: arithmetic intensity of a matrix product."""


def intensity(m, k, n, act_bits=16, weight_bits=16, out_bits=16):
    """FLOP per byte of (m x k) @ (k x n).

    act_bits, weight_bits, out_bits: bits per number of the (m x k), the (k x n) and the (m x n) matrix.
    """
    raise NotImplementedError


def regime(m, k, n, peak_flops, bandwidth, act_bits=16, weight_bits=16, out_bits=16):
    """"compute" or "memory": what the product waits for.

    peak_flops: FLOP/s. bandwidth: bytes/s.
    """
    raise NotImplementedError
