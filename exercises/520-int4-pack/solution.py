"""Grouped INT4: pack, unpack, multiply.

Symmetric quantisation: no zero point, so the integer 0 is exactly the weight 0. The scale is max / 7 and not max / 8, since 8 has no place among -8 to 7.
"""

import numpy as np


def quantize(w, group):
    """Bytes and scales of a float matrix."""
    rows, cols = w.shape
    grouped = np.asarray(w, dtype=np.float32).reshape(rows, cols // group, group)  # along the row: the axis that is summed over
    largest = np.abs(grouped).max(axis=2)
    scales = np.where(largest == 0, 1.0, largest / 7).astype(np.float32)
    integers = np.clip(np.rint(grouped / scales[:, :, None]), -8, 7).astype(np.int8).reshape(rows, cols)
    nibbles = integers.view(np.uint8) & 0x0F  # two's complement of four bits
    return nibbles[:, 0::2] | (nibbles[:, 1::2] << 4), scales


def unpack(packed):
    """The integers, -8 to 7."""
    low, high = packed & 0x0F, packed >> 4
    nibbles = np.stack([low, high], axis=2).reshape(len(packed), -1).astype(np.int8)
    return np.where(nibbles >= 8, nibbles - 16, nibbles).astype(np.int8)


def gemv(packed, scales, x):
    """The quantised matrix times a vector."""
    integers = unpack(packed).astype(np.float32)
    rows, groups = scales.shape
    # Sum within each group first, then scale: one multiplication by a scale per group instead of per weight.
    partial = (integers * x).reshape(rows, groups, -1).sum(axis=2)
    return (partial * scales).sum(axis=1)
