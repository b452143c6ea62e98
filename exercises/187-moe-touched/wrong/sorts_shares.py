"""Sorts the caller's list."""

def expected_experts(tokens, experts, top_k):
    missed = (1 - top_k / experts) ** tokens
    return experts * (1 - missed)


def expected_experts_skewed(tokens, shares):
    total = 0.0
    shares.sort(reverse=True)
    for p in shares:
        total += 1 - (1 - p) ** tokens
    return total


def layer_bytes(tokens, experts, top_k, expert_bytes, shared_experts=0):
    if not tokens:
        return 0.0
    touched = expected_experts(tokens, experts, top_k)
    return touched * expert_bytes + shared_experts * expert_bytes
