"""Exercise 400: temperature, top-k, top-p, min-p."""

import numpy as np


def filter_probs(
    logits: np.ndarray, temperature: np.ndarray, top_k: np.ndarray, top_p: np.ndarray, min_p: np.ndarray
) -> np.ndarray:
    """The probabilities to draw from, shape (rows, vocab).

    logits: (rows, vocab). temperature (0 is greedy), top_k (0 is off), top_p (1 is off), min_p (0 is off): (rows,).
    """
    raise NotImplementedError
