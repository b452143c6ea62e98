import numpy as np


def verify(draft, target, tokens, accept_u, sample_u):
    kept = []
    for i, token in enumerate(tokens):
        if not accept_u[i] * draft[i][token] < target[i][token]:
            gap = np.maximum(target[i] - draft[i], 0.0)
            return [*kept, sample(gap if gap.any() else target[i], sample_u)]
        kept.append(int(token))
    return kept


def sample(weights, u):
    running = np.cumsum(weights)
    return int(np.searchsorted(running, u * running[-1], side="right"))
