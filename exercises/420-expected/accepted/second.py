"""Exercise 420: closed forms, so that the best length can be found by bisection however long it is."""

from bisect import bisect_left
from math import expm1, log


def expected_tokens(acceptance: float, k: int) -> float:
    """Tokens per round: (1 - acceptance^(k + 1)) / (1 - acceptance), in a form that keeps its digits near 1."""
    if acceptance == 1:
        return k + 1.0
    if acceptance == 0:
        return 1.0
    return -expm1((k + 1) * log(acceptance)) / (1 - acceptance)


def speedup(acceptance: float, k: int, draft_cost: float) -> float:
    """Tokens per time compared with plain decoding."""
    return expected_tokens(acceptance, k) / (1 + k * draft_cost)


def best_k(acceptance: float, draft_cost: float) -> int:
    """The number of drafts with the highest speedup, the smallest of equals.

    One more draft pays while its tokens per cost, acceptance^(k + 1) / draft_cost, are above the tokens per time so
    far. The former fall with k, so the first draft that does not pay settles it.
    """
    if (draft_cost == 0 and acceptance > 0) or (acceptance == 1 and draft_cost < 1):
        raise ValueError("longer drafts always gain a little, so there is no best length")

    def is_enough(k: int) -> bool:
        gain = acceptance ** (k + 1)
        return gain <= speedup(acceptance, k, draft_cost) * draft_cost * (1 + 1e-12)  # ties are equal but for rounding

    longest = 1
    while not is_enough(longest):
        longest *= 2
    return bisect_left(range(longest), True, key=is_enough)
