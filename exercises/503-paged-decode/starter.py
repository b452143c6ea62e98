"""Exercise 503: decode attention through block tables."""

import numpy as np


def paged_decode(
    q: np.ndarray, k_cache: np.ndarray, v_cache: np.ndarray, tables: list[list[int]], lengths: list[int]
) -> np.ndarray:
    """Attention of one new query per sequence over its cached keys and values; (batch, heads, size).

    q: (batch, heads, size). k_cache, v_cache: (blocks, block_size, kv_heads, size).
    tables: block ids of each sequence, in the order of its tokens. lengths: tokens of each sequence that count.
    """
    raise NotImplementedError
