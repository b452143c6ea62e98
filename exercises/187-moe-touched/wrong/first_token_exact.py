"""The first token's picks are different, later ones add one at a time."""

def expected_experts(tokens, experts, top_k):
    if tokens == 0:
        return 0.0
    return experts - (experts - top_k) * (1 - 1 / experts) ** (tokens - 1)


def expected_experts_skewed(tokens, shares):
    total = 0.0
    for p in shares:
        total += 1 - (1 - p) ** tokens
    return total


def layer_bytes(tokens, experts, top_k, expert_bytes, shared_experts=0):
    if not tokens:
        return 0.0
    touched = expected_experts(tokens, experts, top_k)
    return touched * expert_bytes + shared_experts * expert_bytes
