"""Exercise 187: experts that a batch touches."""


def expected_experts(tokens, experts, top_k):
    """Expected number of experts that at least one of the tokens picked."""
    # A set of top_k different experts holds a given one with probability top_k / experts.
    return expected_experts_skewed(tokens, [top_k / experts] * experts)


def expected_experts_skewed(tokens, shares):
    """The same, where a token picks expert i with probability shares[i].

    Expectations add up even though experts are not touched independently, so each expert can be looked at alone: it is left
    alone only if every token leaves it alone.
    """
    return sum(1 - (1 - share) ** tokens for share in shares)


def layer_bytes(tokens, experts, top_k, expert_bytes, shared_experts=0):
    """Expected bytes of expert weights read in one layer in one step."""
    if tokens == 0:
        return 0.0
    return (expected_experts(tokens, experts, top_k) + shared_experts) * expert_bytes
