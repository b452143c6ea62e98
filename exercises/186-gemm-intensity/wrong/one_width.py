"""Uses the width of the weights for everything."""

def intensity(m, k, n, act_bits=16, weight_bits=16, out_bits=16):
    flops = 2 * m * k * n
    moved = m * k * weight_bits / 8 + k * n * weight_bits / 8 + m * n * weight_bits / 8
    return flops / moved


def regime(m, k, n, peak_flops, bandwidth, act_bits=16, weight_bits=16, out_bits=16):
    ridge = peak_flops / bandwidth
    if intensity(m, k, n, act_bits, weight_bits, out_bits) >= ridge:
        return "compute"
    return "memory"
