"""FP8 E4M3 by hand.

The codes of the positive numbers are in the order of their values, subnormals included. So a code is also a count of steps from zero, and encoding is: how large is a step here, how many of them
are nearest to x. Rounding up into the next exponent then needs no special case: the count simply goes on.
"""

import numpy as np

LARGEST = 448.0


def decode(codes):
    """The value of each E4M3 byte."""
    codes = np.asarray(codes)
    exponent, mantissa = (codes >> 3) & 15, codes & 7
    fraction = np.where(exponent == 0, mantissa / 8, 1 + mantissa / 8)
    # Subnormals have the exponent of the smallest normal numbers.
    value = np.ldexp(fraction, np.maximum(exponent, 1).astype(int) - 7)
    value = np.where((codes & 0x7F) == 0x7F, np.nan, value)
    return np.where(codes & 0x80, -value, value).astype(np.float32)


def encode(x):
    """The nearest E4M3 number of each float32."""
    x = np.asarray(x, dtype=np.float32)
    size = np.minimum(np.abs(x.astype(np.float64)), LARGEST)  # exact in float64; infinity saturates here, NaN stays
    known = np.where(np.isnan(size), 0.0, size)
    # frexp gives 0.5 <= f < 1, so the exponent of 1.mmm is one less; below 2^-6, zero included, the steps stay as they are there.
    exponent = np.where(known < 2.0**-6, -6, np.frexp(known)[1] - 1)
    steps = np.rint(np.ldexp(known, 3 - exponent)).astype(int)  # of 2^(exponent - 3): 8 to 16, or 0 to 8 below 2^-6; rint takes ties to even
    code = (exponent + 6) * 8 + steps
    code = np.where(np.isnan(size), 0x7F, code + np.where(np.signbit(x), 0x80, 0))
    return code.astype(np.uint8)
