"""Divides by the sum of a fully masked row."""

import numpy as np


def softmax_stats(read_tile):
    m, l = None, None
    while True:
        tile = read_tile()
        if tile is None:
            return m, l
        if m is None:
            m = np.full(len(tile), -np.inf)
            l = np.zeros(len(tile))
        new_m = np.maximum(m, tile.max(axis=1))
        ok = np.isfinite(new_m)
        base = np.where(ok, new_m, 0.0)
        l = l * np.exp(m - base) + np.exp(tile - base[:, None]).sum(axis=1)
        m = new_m


def softmax_tile(tile, m, l):
    base = np.where(np.isfinite(m), m, 0.0)
    weights = np.exp(tile - base[:, None])
    return weights / l[:, None]
