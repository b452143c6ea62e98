"""min(k x tokens, experts)."""

def expected_experts(tokens, experts, top_k):
    return float(min(top_k * tokens, experts))


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
