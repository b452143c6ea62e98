"""Exercise 187: experts that a batch touches."""


def expected_experts(tokens, experts, top_k):
    """Expected number of experts that at least one of the tokens picked.

    tokens: tokens in the step, 0 or more. experts: in the layer. top_k: different experts a token picks, every set equally likely.
    """
    raise NotImplementedError


def expected_experts_skewed(tokens, shares):
    """The same, where a token picks expert i with probability shares[i]."""
    raise NotImplementedError


def layer_bytes(tokens, experts, top_k, expert_bytes, shared_experts=0):
    """Expected bytes of expert weights read in one layer in one step.

    expert_bytes: of one expert, shared or not. shared_experts: experts that every token uses besides its top_k.
    """
    raise NotImplementedError
