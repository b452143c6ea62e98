"""What speculative decoding gains.

Tokens per round: one for certain, a second if one draft is accepted, a third if two are, ...: 1 + a + a^2 + ... + a^k, a geometric sum.
"""


def expected_tokens(acceptance, k):
    """Tokens per round on average with k drafts."""
    if acceptance == 1:
        return k + 1.0  # the closed form is 0 / 0 here
    return (1 - acceptance ** (k + 1)) / (1 - acceptance)


def speedup(acceptance, k, draft_cost):
    """Tokens per time compared with plain decoding."""
    return expected_tokens(acceptance, k) / (1 + k * draft_cost)


def best_k(acceptance, draft_cost):
    """The number of drafts with the highest speedup."""
    if (draft_cost == 0 and acceptance > 0) or (acceptance == 1 and draft_cost < 1):
        raise ValueError(f"acceptance {acceptance} and draft cost {draft_cost}: longer drafts always gain a little, there is no best length")
    # Each further draft adds less (a^k) and costs the same, so the speedup rises and then falls: stop when it no longer rises.
    k = 0
    while speedup(acceptance, k + 1, draft_cost) > speedup(acceptance, k, draft_cost):
        k += 1
    return k
