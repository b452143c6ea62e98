"""Verify drafts by rejection sampling.

Why it is exact, for one position: token x comes out as an accepted draft with probability draft(x) * min(1, target(x) / draft(x)) = min(draft(x), target(x)). What is
missing to target(x) is max(0, target(x) - draft(x)), and these gaps add up to just the probability of a rejection. So sampling the gaps after a rejection fills them exactly.
"""

import numpy as np


def verify(draft, target, tokens, accept_u, sample_u):
    """The tokens of one round: accepted drafts, then one that is sampled."""
    kept = []
    for i, token in enumerate(tokens):
        # As a product: no division by a small probability, and a target of 0 is never accepted, since u * draft >= 0.
        if not accept_u[i] * draft[i][token] < target[i][token]:
            gap = np.maximum(target[i] - draft[i], 0.0)
            # What follows was drafted for a text that does not exist.
            return [*kept, sample(gap if gap.any() else target[i], sample_u)]
        kept.append(int(token))
    return [*kept, sample(target[len(tokens)], sample_u)]


def sample(weights, u):
    """The first token at which the running sum exceeds u * total."""
    running = np.cumsum(weights)
    return int(np.searchsorted(running, u * running[-1], side="right"))
