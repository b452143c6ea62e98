def largest_chunk(
    prompt, contexts, itl, *, params, attention_flops, weight_bytes, kv_bytes_per_token, flops, bandwidth, overhead
):
    n, total = len(contexts), sum(contexts)

    def step(k, start, chunk):
        context = total + n * k
        pairs = chunk * start + chunk * (chunk + 1) / 2 + context
        compute = (2 * params * (chunk + n) + attention_flops * pairs) / flops
        memory = (weight_bytes + kv_bytes_per_token * (start + context)) / bandwidth
        return max(compute, memory) + overhead

    limit = itl * (1 + 1e-9)
    for size in range(prompt, 0, -1):
        if step(0, 0, size) > limit:
            continue
        return size
    return 0
