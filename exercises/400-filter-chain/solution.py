"""Temperature, top-k, top-p, min-p for a batch.

One stable sort serves all of it. In sorted order top-k is a prefix, top-p is a prefix, and min-p is a prefix, so each filter is a comparison along the row; at
the end one scatter puts the probabilities back in their places.
"""

import numpy as np


def filter_probs(logits, temperature, top_k, top_p, min_p):
    """The probabilities to draw from, shape (rows, vocab)."""
    logits, temperature, top_k, top_p, min_p = (
        np.asarray(a, dtype=np.float64) for a in (logits, temperature, top_k, top_p, min_p)
    )
    rows, vocab = logits.shape
    # Stable, and largest first: equal logits stay in the order of their token numbers.
    order = np.argsort(-logits, axis=1, kind="stable")
    ranked = np.take_along_axis(logits, order, axis=1)
    rank = np.arange(vocab)

    greedy = temperature == 0
    scaled = (ranked - ranked[:, :1]) / np.where(greedy, 1.0, temperature)[:, None]  # the largest is 0: exp cannot overflow
    size = np.where(greedy, 1, np.where(top_k == 0, vocab, top_k))
    kept = rank < size[:, None]
    probs = normalised(np.exp(scaled) * kept)

    # A token is kept if the sum before it has not yet reached p; so the one that crosses is kept, and the first always.
    before = np.cumsum(probs, axis=1) - probs
    kept &= (before < top_p[:, None]) | (top_p[:, None] == 1)
    kept &= probs >= min_p[:, None] * probs[:, :1]
    kept[:, 0] = True

    result = np.zeros_like(probs)
    np.put_along_axis(result, order, normalised(probs * kept), axis=1)
    return result


def normalised(weights):
    return weights / weights.sum(axis=1, keepdims=True)
