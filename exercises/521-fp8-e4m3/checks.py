"""Hidden checks of exercise 521: FP8 E4M3 by hand.

The table of values is built here from the definition, number by number; the right code of a float is found by comparing with all of them, in exact fractions.
"""

from fractions import Fraction
from functools import cache

import numpy as np

from practice.kernel.expect import expect_equal, fail


@cache
def value_of(code):
    """The value of one byte as a Fraction, None for NaN."""
    sign, exponent, mantissa = -1 if code & 0x80 else 1, code >> 3 & 15, code & 7
    if exponent == 15 and mantissa == 7:
        return None
    if exponent == 0:
        return sign * Fraction(mantissa, 8) / 64
    return sign * (1 + Fraction(mantissa, 8)) * Fraction(2) ** (exponent - 7)


def nearest(number):
    """The right byte of a finite float."""
    target, sign = abs(Fraction(float(number))), 0x80 if np.signbit(number) else 0
    best = min(range(0x7F), key=lambda code: (abs(value_of(code) - target), code & 1))
    return best | sign


def codes_of(sub, numbers):
    """The submission's bytes of some floats."""
    got = sub.encode(np.array(numbers, dtype=np.float32))
    expect_equal((np.shape(got), str(np.asarray(got).dtype)), ((len(numbers),), "uint8"), "one byte per float")
    return np.asarray(got).tolist()


def expect_codes(sub, numbers, idea):
    """Each float on its own, so that the first wrong one is named."""
    for number, code in zip(numbers, codes_of(sub, numbers)):
        right = nearest(np.float32(number))
        if code != right:
            fail(f"`encode` gave 0x{code:02X} for {float(np.float32(number))!r}, expected 0x{right:02X}, which is {float(value_of(right))!r}", idea)


def check_example_worked(sub):
    """Numbers that the format holds"""
    expect_codes(sub, [1.0, 2.0, 0.40625], "these are representable: exponent plus 7, then three bits of mantissa")
    got = sub.decode(np.array([0x38, 0x40, 0x2D], dtype=np.uint8))
    expect_equal(np.asarray(got).tolist(), [1.0, 2.0, 0.40625], "and back again")


def check_rounds_to_nearest(sub):
    """Numbers between two neighbours"""
    expect_codes(sub, [1.05, 1.07, 1.99, 3.3, 101.0, 0.3, -1.19, -27.3], "take the nearest neighbour, not the next one towards zero")


def check_ties_to_even(sub):
    """Numbers exactly in the middle"""
    expect_codes(sub, [1.0625, 1.1875, 1.9375, 17.0, 19.0, -1.0625, 0.40625 + 2**-6], "in the exact middle take the neighbour whose last bit is 0, the even one")


def check_largest_values(sub):
    """The end of the range"""
    expect_codes(sub, [240.0, 256.0, 288.0, 384.0, 416.0, 448.0, -448.0], "the largest number is 448: exponent 15 holds numbers, but for the one pattern that is NaN")
    got = np.asarray(sub.decode(np.array([0x77, 0x78, 0x7E, 0xFE], dtype=np.uint8)), dtype=float).tolist()
    expect_equal(got, [240.0, 256.0, 448.0, -448.0], "exponent 15 is a normal exponent here, up to 448")


def check_saturates(sub):
    """Numbers beyond the range"""
    got = codes_of(sub, [449.0, 464.0, 465.0, 1000.0, 3e38, np.inf, -500.0, -np.inf])
    expect_equal(got, [0x7E] * 6 + [0xFE] * 2, "saturate at 448: there is no infinity, and NaN would poison the whole sum")


def check_subnormals(sub):
    """Numbers below the smallest normal one"""
    expect_codes(sub, [2**-6, 2**-7, 2**-9, 3 * 2**-9, 7 * 2**-9, -(2**-8)], "below 2^-6 there are seven more numbers, in steps of 2^-9")
    expect_codes(sub, [2**-10, 2**-10 * 1.01, 3 * 2**-10, 2**-11, 7.5 * 2**-9], "below 2^-6, too: the nearest in steps of 2^-9, at the middle the even one")
    got = np.asarray(sub.decode(np.arange(9, dtype=np.uint8)), dtype=float).tolist()
    expect_equal(got, [k * 2**-9 for k in range(9)], "codes 0 to 8 are steps of 2^-9, below 2^-6 and up to it")


def check_zeros_and_signs(sub):
    """Zeros of both signs, and what rounds to them"""
    expect_equal(codes_of(sub, [0.0, -0.0, 1e-6, -1e-6, 1e-40, -1e-40]), [0, 0x80, 0, 0x80, 0, 0x80], "the sign is kept, that of -0.0 and of what rounds to it, too")
    got = np.asarray(sub.decode(np.array([0x00, 0x80], dtype=np.uint8)))
    expect_equal(np.signbit(got).tolist(), [False, True], "0x80 is -0.0")


def check_nan(sub):
    """Not a number"""
    expect_equal(codes_of(sub, [np.nan, -np.nan, 1.0]), [0x7F, 0x7F, 0x38], "NaN becomes 0x7F, and its neighbours are not touched")
    got = np.asarray(sub.decode(np.array([0x7F, 0xFF, 0x38], dtype=np.uint8)))
    expect_equal(np.isnan(got).tolist(), [True, True, False], "0x7F and 0xFF are NaN")


def check_all_codes(sub):
    """All 256 codes, there and back"""
    codes = np.arange(256, dtype=np.uint8)
    values = np.asarray(sub.decode(codes))
    expect_equal(str(values.dtype), "float32", "values are float32")
    for code, value in enumerate(values.tolist()):
        right = value_of(code)
        if right is not None and value != float(right):
            fail(f"`decode` gave {value!r} for 0x{code:02X}, expected {float(right)!r}", "sign, exponent minus 7, mantissa in eighths")
    back = np.asarray(sub.encode(values)).tolist()
    expect_equal([c for c in back if c & 0x7F != 0x7F], [c for c in range(256) if c & 0x7F != 0x7F], "what the format holds exactly is encoded as itself")


def check_shapes(sub):
    """Arrays of other shapes"""
    expect_equal(np.shape(sub.encode(np.ones((2, 3, 4), dtype=np.float32))), (2, 3, 4), "the shape stays")
    expect_equal(np.shape(sub.decode(np.zeros((0, 5), dtype=np.uint8))), (0, 5), "an array without elements has a shape, too")
    got = sub.encode(np.array(2.0, dtype=np.float32))
    expect_equal((np.shape(got), int(got)), ((), 0x40), "an array without dimensions is one number")
    x = np.array([1.0, -600.0], dtype=np.float32)
    sub.encode(x)
    expect_equal(x.tolist(), [1.0, -600.0], "the array belongs to the caller: do not clip it in place")


def check_random(sub, rng):
    """Three hundred random floats of all sizes"""
    numbers = [rng.choice([-1, 1]) * rng.uniform(1, 2) * 2.0 ** rng.randint(-12, 9) for _ in range(300)]
    numbers = [n for n in numbers if abs(n) <= 448]
    expect_codes(sub, numbers, "the nearest number, ties to even")
