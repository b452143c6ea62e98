import numpy as np


def filter_probs(logits, temperature, top_k, top_p, min_p):
    logits, temperature, top_k, top_p, min_p = (
        np.asarray(a, dtype=np.float64) for a in (logits, temperature, top_k, top_p, min_p)
    )
    rows, vocab = logits.shape
    order = np.argsort(-logits, axis=1, kind="stable")
    ranked = np.take_along_axis(logits, order, axis=1)
    rank = np.arange(vocab)

    greedy = temperature == 0
    scaled = (ranked - ranked[:, :1]) / np.where(greedy, 1.0, temperature)[:, None]
    size = np.where(greedy, 1, np.where(top_k == 0, vocab, top_k))
    kept = rank < size[:, None]
    probs = normalised(np.exp(scaled) * kept)

    before = np.cumsum(probs, axis=1) - probs
    kept &= (before < top_p[:, None]) | (top_p[:, None] == 1)
    kept &= probs >= min_p[:, None]
    kept[:, 0] = True

    result = np.zeros_like(probs)
    np.put_along_axis(result, order, normalised(probs * kept), axis=1)
    return result


def normalised(weights):
    return weights / weights.sum(axis=1, keepdims=True)
