"""The largest prefill chunk under an ITL limit, from two steps per chunk size.

Among the full chunks of one size the last is the slowest, since start and contexts only grow; the shorter rest is the
only other step that can be the longest.
"""


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
    """The largest chunk, in tokens, for which no step of the prefill is longer than itl; 0 if there is none."""
    answers, first_context = len(contexts), sum(contexts)

    def step_seconds(number, start, chunk):
        context = first_context + answers * number
        pairs = chunk * start + chunk * (chunk + 1) / 2 + context
        compute = (2 * params * (chunk + answers) + attention_flops * pairs) / flops
        memory = (weight_bytes + kv_bytes_per_token * (start + context)) / bandwidth
        return max(compute, memory) + overhead

    def keeps_promise(size):
        full, rest = divmod(prompt, size)
        longest = step_seconds(full - 1, (full - 1) * size, size)
        if rest:
            longest = max(longest, step_seconds(full, full * size, rest))
        return longest <= itl * (1 + 1e-9)

    return next((size for size in range(prompt, 0, -1) if keeps_promise(size)), 0)
