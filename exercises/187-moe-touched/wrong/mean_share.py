"""Uses the mean share for every expert."""

def expected_experts(tokens, experts, top_k):
    missed = (1 - top_k / experts) ** tokens
    return experts * (1 - missed)


def expected_experts_skewed(tokens, shares):
    mean = sum(shares) / len(shares)
    return len(shares) * (1 - (1 - mean) ** tokens)


def layer_bytes(tokens, experts, top_k, expert_bytes, shared_experts=0):
    if not tokens:
        return 0.0
    touched = expected_experts(tokens, experts, top_k)
    return touched * expert_bytes + shared_experts * expert_bytes
