"""Exercise 400: with the tokens in order of their logits every filter keeps a prefix, so each one is only a count."""

import numpy as np


def filter_row(logits: np.ndarray, temperature: float, top_k: int, top_p: float, min_p: float) -> np.ndarray:
    """The probabilities of one row."""
    order = np.argsort(-logits, kind="stable")  # equals stay in the order of their numbers
    if temperature == 0:
        order = order[:1]
    elif top_k:
        order = order[:top_k]

    kept = logits[order]
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the largest to minus infinity, as it should
        weights = np.exp((kept - kept[0]) / (temperature or 1.0))
    if top_p < 1:
        running = np.cumsum(weights) / weights.sum()
        weights = weights[: np.searchsorted(running, top_p) + 1]
    weights = weights[weights >= min_p * weights[0]]

    probs = np.zeros_like(logits)
    probs[order[: len(weights)]] = weights / weights.sum()
    return probs


def filter_probs(
    logits: np.ndarray, temperature: np.ndarray, top_k: np.ndarray, top_p: np.ndarray, min_p: np.ndarray
) -> np.ndarray:
    """The probabilities to draw from, shape (rows, vocab)."""
    rows = zip(logits.astype(np.float64), temperature.tolist(), top_k.tolist(), top_p.tolist(), min_p.tolist())
    return np.stack([filter_row(*row) for row in rows])
