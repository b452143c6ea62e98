"""The largest prefill chunk under an ITL limit.

Among the full chunks of one size the last is the slowest: everything in the formulas grows with the step's number. So a size is
judged by two steps, the last full chunk and the remainder behind it, and trying all sizes costs O(prompt).

Bisection would be wrong. Small chunks mean many steps, and in many steps the running answers grow: a chunk of 10 may fail
where one of 500 passes.
"""


def largest_chunk(
    prompt, contexts, itl, *, params, attention_flops, weight_bytes, kv_bytes_per_token, flops, bandwidth, overhead
):
    """The largest chunk, in tokens, for which no step of the prefill is longer than itl; 0 if there is none."""
    n, total = len(contexts), sum(contexts)

    def step(k, start, chunk):
        context = total + n * k  # every answer has grown by k tokens
        pairs = chunk * start + chunk * (chunk + 1) / 2 + context
        compute = (2 * params * (chunk + n) + attention_flops * pairs) / flops
        memory = (weight_bytes + kv_bytes_per_token * (start + context)) / bandwidth
        return max(compute, memory) + overhead

    limit = itl * (1 + 1e-9)
    for size in range(prompt, 0, -1):
        full, rest = divmod(prompt, size)
        if step(full - 1, (full - 1) * size, size) > limit:
            continue
        # The remainder is shorter but starts later, so when memory decides it can be the longest step.
        if rest and step(full, full * size, rest) > limit:
            continue
        return size
    return 0
