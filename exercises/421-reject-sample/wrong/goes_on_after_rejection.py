import numpy as np


def verify(draft, target, tokens, accept_u, sample_u):
    kept = []
    rejected = False
    for i, token in enumerate(tokens):
        if not accept_u[i] * draft[i][token] < target[i][token]:
            gap = np.maximum(target[i] - draft[i], 0.0)
            kept.append(sample(gap if gap.any() else target[i], sample_u))
            rejected = True
            continue
        kept.append(int(token))
    return kept if rejected else [*kept, sample(target[len(tokens)], sample_u)]


def sample(weights, u):
    running = np.cumsum(weights)
    return int(np.searchsorted(running, u * running[-1], side="right"))
