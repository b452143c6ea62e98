"""Experts that a batch touches: equal experts are skewed ones that all have the same share."""

import math


def expected_experts(tokens, experts, top_k):
    """Expected number of touched experts, every set of top_k equally likely."""
    return experts * touched(tokens, top_k / experts)


def expected_experts_skewed(tokens, shares):
    """The same, where a token picks expert i with probability shares[i]."""
    return math.fsum(touched(tokens, share) for share in shares)


def touched(tokens, share):
    """Probability that at least one of the tokens picks an expert of this share: 1 - (1 - share) ** tokens."""
    if share >= 1:
        return 1.0 if tokens else 0.0
    return -math.expm1(tokens * math.log1p(-share))  # keeps the digits of very small shares


def layer_bytes(tokens, experts, top_k, expert_bytes, shared_experts=0):
    """Expected bytes of expert weights read in one layer in one step."""
    shared = shared_experts if tokens else 0
    return (expected_experts(tokens, experts, top_k) + shared) * expert_bytes
