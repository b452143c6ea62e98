"""Softmax statistics in one pass, as a merge: the statistics of two parts of a row give those of both."""

import numpy as np


def softmax_stats(read_tile):
    """Largest score and sum of exponentials of each row, reading every tile once."""
    stats = tile_stats(read_tile())
    while (tile := read_tile()) is not None:
        stats = merge(stats, tile_stats(tile))
    return stats


def tile_stats(tile):
    """(m, l) of one tile alone."""
    m = tile.max(axis=1).astype(np.float64)
    return m, exp_relative(tile, m[:, None]).sum(axis=1)


def merge(left, right):
    """(m, l) of the entries of both parts: each sum is brought to the common maximum first."""
    (left_m, left_l), (right_m, right_l) = left, right
    m = np.maximum(left_m, right_m)
    return m, left_l * exp_relative(left_m, m) + right_l * exp_relative(right_m, m)


def softmax_tile(tile, m, l):
    """Softmax weights of one tile, from the statistics of its whole rows."""
    divisor = np.where(l > 0, l, 1.0)  # a fully masked row has only zeros to divide
    return exp_relative(tile, m[:, None]) / divisor[:, None]


def exp_relative(scores, largest):
    """exp(scores - largest) in float64, 0 where both are -inf."""
    reference = np.where(np.isneginf(largest), 0.0, largest)
    return np.exp(scores.astype(np.float64) - reference)
