"""Exercise 520: arithmetic shifts do the signs, and gemv scales sums of groups instead of weights."""

import numpy as np


def quantize(w: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray]:
    """(packed, scales) of weights (rows, cols): uint8 (rows, cols / 2) and float32 (rows, cols / group)."""
    rows, cols = w.shape
    groups = w.reshape(rows, cols // group, group)
    scales = (np.abs(groups).max(axis=2) / 7).astype(np.float32)
    scales[scales == 0] = 1
    integers = np.clip(np.rint(groups / scales[:, :, None]), -8, 7).astype(np.int8)
    low, high = np.moveaxis(integers.reshape(rows, cols // 2, 2).view(np.uint8), 2, 0)
    return low & 15 | high << 4, scales


def unpack(packed: np.ndarray) -> np.ndarray:
    """The integers, -8 to 7, as int8 (rows, cols); shifting an int8 right copies its sign."""
    halves = np.stack([packed << 4, packed], axis=2).view(np.int8) >> 4
    return halves.reshape(len(packed), -1)


def gemv(packed: np.ndarray, scales: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The quantised matrix times x (cols,); (rows,)."""
    rows, groups = scales.shape
    integers = unpack(packed).reshape(rows, groups, -1).astype(np.float64)
    sums = np.einsum("rgc,gc->rg", integers, x.reshape(groups, -1))
    return (sums * scales).sum(axis=1)
