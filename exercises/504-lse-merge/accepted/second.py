"""Exercise 504: the total is a log-sum-exp of the splits' own; each split then weighs exp(lse - total)."""

import numpy as np


def merge(outs: np.ndarray, lses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Attention over all keys from attention over parts of them."""
    lses = lses.astype(np.float64)
    has_keys = lses > -np.inf
    total = np.logaddexp.reduce(lses, axis=0)
    distance = np.subtract(lses, total, out=np.full_like(lses, -np.inf), where=has_keys)
    clean = np.where(has_keys[:, :, None], outs, 0.0)
    return np.einsum("sr,srd->rd", np.exp(distance), clean), total
