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

    def steps(size):
        return [step(k, start, min(size, prompt - start)) for k, start in enumerate(range(0, prompt, size))]

    for size in range(prompt, 0, -1):
        times = steps(size)
        if sum(times) / len(times) <= itl * (1 + 1e-9):
            return size
    return 0
