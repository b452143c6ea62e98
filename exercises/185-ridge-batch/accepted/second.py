"""The ridge in whole numbers: both times are multiplied out, so that no division decides."""


def ridge_batch(gpu, weight_bits, activation_bits):
    """Tokens at which computing takes as long as reading the weights."""
    peak, divisor = dense_peak(gpu, activation_bits)
    # 2 m / (peak / divisor) = weight_bits / 8 / bandwidth, solved for m
    return weight_bits * peak / (16 * divisor * gpu["bandwidth"])


def first_compute_bound(gpu, weight_bits, activation_bits, k, n):
    """Smallest number of tokens for which (m x k) @ (k x n) is bound by computing, or None."""
    peak, divisor = dense_peak(gpu, activation_bits)
    # Both times, multiplied by 8 * peak * bandwidth: computing m * compute, moving m * moved_rows + moved_weights.
    compute = 16 * divisor * k * n * gpu["bandwidth"]
    moved_rows = peak * (k * activation_bits + n * 16)
    moved_weights = peak * k * n * weight_bits
    if compute <= moved_rows:
        return None
    return -(-moved_weights // (compute - moved_rows))


def dense_peak(gpu, bits):
    """(advertised FLOP/s, divisor) of the narrowest units that take numbers of `bits` bits; the quotient is dense."""
    widths = [width for width in gpu["peak_flops"] if width >= bits]
    if not widths:
        raise ValueError(f"this GPU has no units for {bits} bits, only for {sorted(gpu['peak_flops'])}")
    return gpu["peak_flops"][min(widths)], 2 if gpu["sparse"] else 1
