"""How long one engine step takes: the roofline, and the terms that realism adds to it."""

from practice.sim.setup import Setup


def step_time(setup: Setup, num_tokens: float, context_tokens: float, *, pairs: float = 0.0, num_seqs: int = 0) -> float:
    """Seconds one engine step takes: the slower of computing and of reading memory, plus what overlaps with neither.

    num_tokens: tokens run in this step over all requests, 0 or more.
    context_tokens: tokens whose keys and values are read, over all requests.
    pairs: query-key pairs of the step, used where setup.attention_flops is set; num_seqs: running requests.
    Raises ValueError when num_tokens or context_tokens is negative.
    Example: a 7.6e9-parameter model in 16 bits on one H100: step_time(s, 1, 0) is about 5.0 ms
    (15.2 GB of weights at 3.35 TB/s, plus 0.5 ms).
    Source: the roofline model, Williams et al. 2009.
    """
    if not num_tokens >= 0 or not context_tokens >= 0:
        raise ValueError(f"num_tokens is {num_tokens!r} and context_tokens is {context_tokens!r}, but both must be 0 or more")
    compute = (2 * setup.params * num_tokens + setup.attention_flops * pairs) / (setup.peak_flops * setup.mfu)
    return max(compute, reading_seconds(setup, num_tokens, context_tokens)) + fixed_seconds(setup, num_tokens, num_seqs)


def reading_seconds(setup: Setup, num_tokens: float, context_tokens: float) -> float:
    """Seconds to read the weights that `num_tokens` touch and the KV cache of `context_tokens`."""
    weights = setup.weight_bytes
    if setup.experts:
        weights -= setup.expert_bytes * untouched_share(setup, num_tokens)
    return (weights + setup.kv_bytes_per_token * context_tokens) / (setup.bandwidth * setup.mbu)


def decode_pairs(setup: Setup, decoding: int, context_tokens: float) -> float:
    """Query-key pairs of one decode step.

    The context holds the token that is the first query; each drafted one after it sees one key more.
    """
    width = setup.draft_tokens + 1
    return width * context_tokens + decoding * width * (width - 1) / 2


def draft_seconds(setup: Setup, decoding: int, context_tokens: float) -> float:
    """Seconds that drafting takes in one decode step: draft_cost of the target's reading time for each drafted token."""
    if not setup.draft_tokens:
        return 0.0
    width = setup.draft_tokens + 1
    return setup.draft_tokens * setup.draft_cost * reading_seconds(setup, decoding * width, context_tokens)


def untouched_share(setup: Setup, num_tokens: float) -> float:
    """Expected share of a layer's routed experts that none of the tokens uses: (1 - k/E)^tokens.

    Example: 256 experts, 8 per token: one token leaves 96.9% untouched, 100 tokens 4.2%.
    """
    return (1 - setup.experts_per_token / setup.experts) ** num_tokens


def fixed_seconds(setup: Setup, num_tokens: float, num_seqs: int) -> float:
    """Seconds of a step that do not overlap with the roofline: launches, per-request work, all-reduces."""
    seconds = setup.step_overhead + setup.overhead_per_seq * num_seqs
    if setup.comm_latency or setup.comm_bytes_per_token:
        seconds += setup.comm_latency + setup.comm_bytes_per_token * num_tokens / setup.link_bandwidth
    return seconds
