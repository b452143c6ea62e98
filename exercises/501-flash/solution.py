"""Tiled causal attention with a cache.

The running output is kept unnormalised: a sum of exp(score - m) times value. When a tile raises the maximum m, sum and output shrink by the same factor; the division comes once, at the end.
"""

import numpy as np


def attend(q, offset, tile, read_tile):
    """Causal attention of a chunk over cached and new keys."""
    n, size = q.shape
    positions = offset + np.arange(n)
    m = np.full(n, -np.inf)  # largest score so far
    total = np.zeros(n)  # sum of exponentials, relative to m
    out = np.zeros((n, size))  # weighted values, relative to m

    last = int(positions[-1]) // tile  # the last query sees the most
    for j in range(last + 1):
        k, v = read_tile(j)
        keys = j * tile + np.arange(len(k))  # a short tile has fewer
        scores = q @ k.T / np.sqrt(size)
        scores = np.where(keys <= positions[:, None], scores, -np.inf)

        new_m = np.maximum(m, scores.max(axis=1))
        # From the front every query has seen key 0 by now, so new_m is finite; in another order -inf - -inf would need care.
        factor = np.exp(m - new_m)  # old sums are relative to the old maximum
        weights = np.exp(scores - new_m[:, None])
        total = total * factor + weights.sum(axis=1)
        out = out * factor[:, None] + weights @ v
        m = new_m
    return out / total[:, None]
