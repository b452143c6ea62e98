"""Merge split-KV partial results: a softmax over the splits.

A split's share of all exponentials is exp(lse_i) / sum(exp(lse_j)). That is a softmax of the lse, and it is computed like any softmax: with the largest one subtracted.
"""

import numpy as np


def merge(outs, lses):
    """Attention over all keys from attention over parts of them."""
    largest = lses.max(axis=0)
    shift = np.where(np.isneginf(largest), 0.0, largest)  # -inf - -inf would be NaN
    share = np.exp(lses - shift)  # 0 for empty splits
    total = share.sum(axis=0)
    empty = total == 0
    # An empty split holds garbage, and 0 * NaN is NaN: take its output out, do not merely weigh it with 0.
    clean = np.where(np.isneginf(lses)[:, :, None], 0.0, outs)
    out = (share[:, :, None] * clean).sum(axis=0) / np.where(empty, 1.0, total)[:, None]
    lse = np.where(empty, -np.inf, shift + np.log(np.where(empty, 1.0, total)))
    return out, lse
