"""Hidden checks of exercise 520: grouped INT4."""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal, fail

PRODUCT = dict(rel=1e-4, abs=1e-4)


def quantized(sub, w, group):
    """The submission's bytes and scales, with shapes and types looked at."""
    w = np.asarray(w, dtype=np.float32)
    answer = sub.quantize(w, group)
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        fail("the answer is not a pair", "return packed and scales")
    packed, scales = answer
    rows, cols = w.shape
    expect_equal((np.shape(packed), str(np.asarray(packed).dtype)), ((rows, cols // 2), "uint8"), "two weights per byte")
    expect_equal(np.shape(scales), (rows, cols // group), "one scale per group")
    return np.asarray(packed), np.asarray(scales, dtype=np.float64)


def check_example_worked(sub):
    """The worked example of the prompt"""
    expect_equal(sub.unpack(np.array([[0x33]], dtype=np.uint8)).tolist(), [[3, 3]], "51, in hexadecimal 33, holds 3 and 3")
    got = sub.gemv(np.array([[0x33]], dtype=np.uint8), np.array([[2.0]], dtype=np.float32), np.array([1.0, 4.0], dtype=np.float32))
    expect_close(np.asarray(got, dtype=float), np.array([30.0]), "3 * 2 * 1 + 3 * 2 * 4", **PRODUCT)


def check_nibble_order(sub):
    """Two different weights in a byte"""
    packed, _ = quantized(sub, [[7.0, 3.0]], 2)
    expect_equal(packed.tolist(), [[0x37]], "the even column goes into the low half: 3 * 16 + 7")
    expect_equal(sub.unpack(np.array([[0x52, 0x10]], dtype=np.uint8)).tolist(), [[2, 5, 0, 1]], "the low half is the even column")


def check_scale(sub):
    """The scale of a group"""
    packed, scales = quantized(sub, [[2.1, -0.3, 0.6, 0.9]], 4)
    expect_close(scales, np.array([[0.3]]), "the largest absolute value, divided by 7", rel=1e-6)
    expect_equal(packed.tolist(), [[0xF7, 0x32]], "in units of 0.3, which is 2.1 divided by 7: 7, -1, 2, 3")
    _, scales = quantized(sub, [[-14.0, 7.0]], 2)
    expect_close(scales, np.array([[2.0]]), "the largest absolute value is that of -14, divided by 7", rel=1e-6)


def check_negative_values(sub):
    """Weights below zero"""
    expect_equal(sub.unpack(np.array([[0x9F, 0x8E]], dtype=np.uint8)).tolist(), [[-1, -7, -2, -8]], "two's complement of four bits: 15 is -1, 9 is -7, 8 is -8")
    packed, _ = quantized(sub, [[-7.0, 3.0, -1.0, -2.0]], 4)
    expect_equal(packed.tolist(), [[0x39, 0xEF]], "two's complement: -7 is 9, -1 is 15, -2 is 14")


def check_groups_along_the_row(sub):
    """Two rows of two groups"""
    w = [[7.0, 1.0, 70.0, 10.0], [0.7, 0.7, 700.0, 100.0]]
    packed, scales = quantized(sub, w, 2)
    expect_close(scales, np.array([[1.0, 10.0], [0.1, 100.0]]), "groups lie along the row, and each has its own scale", rel=1e-6)
    expect_equal(packed.tolist(), [[0x17, 0x17], [0x77, 0x17]], "each group is divided by its own scale")


def check_zero_group(sub):
    """A pruned group"""
    packed, scales = quantized(sub, [[0.0, 0.0, 7.0, 0.0]], 2)
    expect_close(scales, np.array([[1.0, 1.0]]), "a group of all zeros gets the scale 1, not 0", rel=1e-6)
    expect_equal(packed.tolist(), [[0, 7]], "a group of all zeros stays zero")


def check_rounding(sub):
    """Weights between two integers"""
    packed, _ = quantized(sub, [[7.0, 0.9, 1.4, 1.6, 2.5, 3.5, -0.9, -2.5]], 8)
    expect_equal(sub.unpack(packed).tolist(), [[7, 1, 1, 2, 2, 4, -1, -2]], "to the nearest integer, at a half to the even one")


def check_gemv(sub):
    """Products, with two groups and negative weights"""
    packed = np.array([[0x37, 0xF1]], dtype=np.uint8)  # 7, 3 | 1, -1
    got = sub.gemv(packed, np.array([[1.0, 0.5]], dtype=np.float32), np.array([2.0, 10.0, 4.0, 8.0], dtype=np.float32))
    expect_close(np.asarray(got, dtype=float), np.array([42.0]), "the product of each integer, the scale of its own group, and x: 14 + 30 + 2 - 4", **PRODUCT)
    packed = np.array([[0x11, 0x11], [0x22, 0x22]], dtype=np.uint8)
    got = sub.gemv(packed, np.array([[1, 10], [100, 1000]], dtype=np.float32), np.array([1, 1, 1, 1], dtype=np.float32))
    expect_close(np.asarray(got, dtype=float), np.array([22.0, 4400.0]), "the product uses the scales of the row's own groups", **PRODUCT)


def check_arguments_unchanged(sub):
    """Weights, bytes and vector afterwards"""
    w, x = np.array([[7.0, -3.0]], dtype=np.float32), np.array([2.0, 3.0], dtype=np.float32)
    packed, scales = np.array([[0x37]], dtype=np.uint8), np.array([[2.0]], dtype=np.float32)
    before = w.copy(), x.copy(), packed.copy(), scales.copy()
    sub.quantize(w, 2)
    sub.unpack(packed)
    sub.gemv(packed, scales, x)
    expect_close((w, x, packed, scales), before, "the arrays belong to the caller and are not changed")


def check_random(sub, ref, rng):
    """Fifteen random matrices: bytes, error bound, products"""
    draw = np.random.default_rng(rng.getrandbits(32))
    for _ in range(15):
        group = rng.choice([2, 4, 32, 128])
        rows, cols = rng.randint(1, 20), group * rng.randint(1, 4)
        w = (draw.normal(0, 1, (rows, cols)) * 10.0 ** rng.randint(-3, 3)).astype(np.float32)
        packed, scales = quantized(sub, w, group)
        right_packed, right_scales = ref.quantize(w, group)
        expect_close(scales, right_scales.astype(float), "the largest absolute value of each group, divided by 7", rel=1e-6)
        integers = np.asarray(sub.unpack(packed))
        expect_equal(str(integers.dtype), "int8", "integers from -8 to 7 as int8")
        wide = np.repeat(scales, group, axis=1)
        error = float((np.abs(w - integers * wide) / wide).max())
        if error > 0.5001:
            fail(f"a weight is off by {error:.3f} of its scale", "rounded to the nearest integer no weight is off by more than half of its scale")
        # Quotients that are within float noise of a half may go either way.
        far = np.abs(np.abs(w / wide - np.trunc(w / wide)) - 0.5) > 1e-4
        expect_equal(integers[far].tolist(), ref.unpack(right_packed)[far].tolist(), "the nearest integers, in the order of the columns")
        x = draw.normal(0, 1, cols).astype(np.float32)
        expect_close(np.asarray(sub.gemv(packed, scales.astype(np.float32), x), dtype=float), (integers * wide) @ x.astype(float), "the product with the dequantised matrix", rel=1e-3, abs=1e-3 * float(wide.max()) * cols**0.5)
