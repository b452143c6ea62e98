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
        keys = j * tile + np.arange(len(k))
        scores = q @ k.T / np.sqrt(size)
        scores = np.where(keys <= positions[:, None], scores, -np.inf)

        new_m = np.maximum(m, scores.max(axis=1))
        factor = np.exp(m - new_m)
        weights = np.exp(scores - new_m[:, None])
        total = total + weights.sum(axis=1)
        out = out + weights @ v
        m = new_m
    return out / total[:, None]
