"""Exercise 185: the batch at which a projection turns compute-bound."""


def ridge_batch(gpu, weight_bits, activation_bits):
    """Tokens at which computing takes as long as reading the weights.

    gpu: dict with bandwidth (bytes/s), peak_flops (dict: bits -> FLOP/s) and sparse (whether the peaks are twice the dense ones).
    weight_bits, activation_bits: bits per number, weights no wider than activations.
    Raises ValueError when the GPU has no units for activations this wide.
    """
    raise NotImplementedError


def first_compute_bound(gpu, weight_bits, activation_bits, k, n):
    """Smallest number of tokens for which (m x k) @ (k x n) is bound by computing, or None.

    The output has 16 bits; activations, weights and output are moved once each.
    """
    raise NotImplementedError
