"""Exercise 501: tiled causal attention with a cache."""

from collections.abc import Callable

import numpy as np


def attend(q: np.ndarray, offset: int, tile: int, read_tile: Callable[[int], tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Causal attention of a chunk over cached and new keys; (n, size).

    q: (n, size); query i stands at position offset + i. tile: keys per tile.
    read_tile(j): keys and values of tile j, (up to tile, size) each; the last one may be shorter.
    """
    raise NotImplementedError
