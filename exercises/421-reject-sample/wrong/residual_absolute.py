import numpy as np


def verify(draft, target, tokens, accept_u, sample_u):
    kept = []
    for i, token in enumerate(tokens):
        if not accept_u[i] * draft[i][token] < target[i][token]:
            gap = np.abs(target[i] - draft[i])
            return [*kept, sample(gap if gap.any() else target[i], sample_u)]
        kept.append(int(token))
    return [*kept, sample(target[len(tokens)], sample_u)]


def sample(weights, u):
    running = np.cumsum(weights)
    return int(np.searchsorted(running, u * running[-1], side="right"))
