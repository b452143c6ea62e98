import numpy as np


def attend(q, offset, tile, read_tile):
    n, size = q.shape
    positions = offset + np.arange(n)
    m = np.full(n, -np.inf)
    total = np.zeros(n)
    out = np.zeros((n, size))

    last = int(positions[-1]) // tile
    for j in range(last + 1):
        k, v = read_tile(j)
        if len(k) < tile:
            k = np.vstack([k, np.zeros((tile - len(k), size))])
            v = np.vstack([v, np.zeros((tile - len(v), size))])
        keys = j * tile + np.arange(tile)
        scores = q @ k.T / np.sqrt(size)
        scores = np.where((keys <= positions[:, None]) | (keys > positions[-1]), scores, -np.inf)

        new_m = np.maximum(m, scores.max(axis=1))
        shift = np.where(np.isneginf(new_m), 0.0, new_m)
        factor = np.exp(m - shift)
        weights = np.exp(scores - shift[:, None])
        total = total * factor + weights.sum(axis=1)
        out = out * factor[:, None] + weights @ v
        m = new_m
    return out / total[:, None]
