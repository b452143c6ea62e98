import numpy as np

LARGEST = 240.0


def decode(codes):
    codes = np.asarray(codes)
    exponent, mantissa = (codes >> 3) & 15, codes & 7
    fraction = np.where(exponent == 0, mantissa / 8, 1 + mantissa / 8)
    value = np.ldexp(fraction, np.maximum(exponent, 1).astype(int) - 7)
    value = np.where(exponent == 15, np.nan, value)
    return np.where(codes & 0x80, -value, value).astype(np.float32)


def encode(x):
    x = np.asarray(x, dtype=np.float32)
    size = np.minimum(np.abs(x.astype(np.float64)), LARGEST)
    known = np.where(np.isnan(size), 0.0, size)
    exponent = np.where(known < 2.0**-6, -6, np.frexp(known)[1] - 1)
    steps = np.rint(np.ldexp(known, 3 - exponent)).astype(int)
    code = (exponent + 6) * 8 + steps
    code = np.where(np.isnan(size), 0x7F, code + np.where(np.signbit(x), 0x80, 0))
    return code.astype(np.uint8)
