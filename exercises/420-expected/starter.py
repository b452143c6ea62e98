"""Exercise 420: what speculative decoding gains."""


def expected_tokens(acceptance: float, k: int) -> float:
    """Tokens per round on average with k drafts; acceptance from 0 to 1."""
    raise NotImplementedError


def speedup(acceptance: float, k: int, draft_cost: float) -> float:
    """Tokens per time compared with plain decoding; draft_cost: time of drafting one token, in steps of the large model."""
    raise NotImplementedError


def best_k(acceptance: float, draft_cost: float) -> int:
    """The number of drafts with the highest speedup, the smallest of equals. Raises ValueError if there is no best."""
    raise NotImplementedError
