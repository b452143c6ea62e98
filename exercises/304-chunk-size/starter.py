"""Exercise 304: the largest prefill chunk under an ITL limit."""


def largest_chunk(
    prompt: int,
    contexts: list[int],
    itl: float,
    *,
    params: float,
    attention_flops: float,
    weight_bytes: float,
    kv_bytes_per_token: float,
    flops: float,
    bandwidth: float,
    overhead: float,
) -> int:
    """The largest chunk, in tokens, for which no step of the prefill is longer than itl; 0 if there is none.

    prompt: tokens to prefill. contexts: tokens of context of each running answer at the first step.
    itl, overhead: seconds. params: parameters used per token. attention_flops: FLOP per query-key pair over all layers.
    weight_bytes, kv_bytes_per_token: bytes. flops: FLOP/s reached. bandwidth: bytes/s.
    """
    raise NotImplementedError
