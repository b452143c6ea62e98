"""Exercise 421: all drafts are judged at once; the first rejection says where to sample, and from what."""

import numpy as np


def sample(weights: np.ndarray, u: float) -> int:
    """The first token at which the running sum exceeds u times the total."""
    running = np.cumsum(weights)
    return int(np.searchsorted(running, u * running[-1], side="right"))


def verify(draft: np.ndarray, target: np.ndarray, tokens: list[int], accept_u: list[float], sample_u: float) -> list[int]:
    """The tokens of one round: accepted drafts, then one that is sampled."""
    k = len(tokens)
    position = np.arange(k)
    rejected = np.asarray(accept_u) * draft[position, tokens] >= target[position, tokens]
    kept = int(np.argmax(rejected)) if rejected.any() else k
    weights = target[kept]
    if kept < k:
        residual = np.maximum(0.0, target[kept] - draft[kept])
        weights = residual if residual.any() else weights
    return [int(token) for token in tokens[:kept]] + [sample(weights, sample_u)]
