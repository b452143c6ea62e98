"""Exercise 520: grouped INT4: pack, unpack, multiply."""

import numpy as np


def quantize(w: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray]:
    """(packed, scales) of weights (rows, cols): uint8 (rows, cols / 2) and float32 (rows, cols / group)."""
    raise NotImplementedError


def unpack(packed: np.ndarray) -> np.ndarray:
    """The integers, -8 to 7, as int8 (rows, cols)."""
    raise NotImplementedError


def gemv(packed: np.ndarray, scales: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The quantised matrix times x (cols,); (rows,)."""
    raise NotImplementedError
