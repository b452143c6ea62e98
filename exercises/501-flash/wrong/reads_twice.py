import numpy as np


def attend(q, offset, tile, read_tile):
    n, size = q.shape
    rows = []
    for i in range(n):
        m, total, out = -np.inf, 0.0, np.zeros(size)
        for j in range((offset + i) // tile + 1):
            k, v = read_tile(j)
            visible = offset + i + 1 - j * tile
            k, v = k[:visible], v[:visible]
            scores = k @ q[i] / np.sqrt(size)
            new_m = max(m, scores.max())
            factor, weights = np.exp(m - new_m), np.exp(scores - new_m)
            total = total * factor + weights.sum()
            out = out * factor + weights @ v
            m = new_m
        rows.append(out / total)
    return np.array(rows)
