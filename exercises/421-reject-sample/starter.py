"""Exercise 421: verify drafts by rejection sampling."""

import numpy as np


def verify(draft: np.ndarray, target: np.ndarray, tokens: list[int], accept_u: list[float], sample_u: float) -> list[int]:
    """The tokens of one round: accepted drafts, then one that is sampled.

    draft: (k, vocab), distributions the drafts were drawn from. target: (k + 1, vocab), the large model's.
    tokens: the k drafts. accept_u: k numbers in [0, 1). sample_u: one number in [0, 1).
    """
    raise NotImplementedError
