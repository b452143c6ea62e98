"""Hidden checks of exercise 304: the largest prefill chunk under an ITL limit."""

from practice.kernel.expect import expect_equal

ROUND = dict(params=1e9, attention_flops=0.0, weight_bytes=2e9, kv_bytes_per_token=1e5, flops=1e14, bandwidth=2e12, overhead=0.001)
QWEN_7B_ON_H100 = dict(
    params=7.6e9, attention_flops=4.0 * 28 * 28 * 128, weight_bytes=15.2e9, kv_bytes_per_token=57_344.0,
    flops=989e12 * 0.5, bandwidth=3.35e12, overhead=0.0005,
)


def longest_steps(prompt, contexts, size, *, params, attention_flops, weight_bytes, kv_bytes_per_token, flops, bandwidth, overhead):
    """All step times of one chunk size, by walking them."""
    contexts, steps = list(contexts), []
    for start in range(0, prompt, size):
        chunk = min(size, prompt - start)
        pairs = sum(start + i + 1 for i in range(chunk)) + sum(contexts)
        compute = (2 * params * (chunk + len(contexts)) + attention_flops * pairs) / flops
        memory = (weight_bytes + kv_bytes_per_token * (start + sum(contexts))) / bandwidth
        steps.append(max(compute, memory) + overhead)
        contexts = [c + 1 for c in contexts]
    return steps


def check_example_whole_prompt(sub):
    """400 tokens in one step of 9 ms"""
    expect_equal(sub.largest_chunk(400, [], 0.010, **ROUND), 400, "8 ms of compute and 1 ms of overhead fit 10 ms; a chunk is no larger than the prompt")


def check_longest_step_counts(sub):
    """A prompt in several chunks"""
    expect_equal(sub.largest_chunk(1000, [], 0.010, **ROUND), 450, "the longest step counts, not the mean: 451 tokens take 10.02 ms")


def check_decodes_take_their_share(sub):
    """Fifty answers being streamed"""
    expect_equal(
        sub.largest_chunk(1000, [100] * 50, 0.010, **ROUND), 400,
        "the decodes run in the same step: 450 tokens fit, 50 of them are decodes",
    )


def check_later_chunks_attend_to_more(sub):
    """Attention over a long prompt"""
    settings = {**ROUND, "attention_flops": 1e6}
    # The last full chunk of 10,000 tokens: 2e9 C + 1e6 (C s + C (C + 1) / 2) <= 9e11, with s close to 10,000.
    expect_equal(
        sub.largest_chunk(10_000, [], 0.010, **settings), 75,
        "every later chunk attends to the whole prompt before it, so the last full chunk is the slowest",
    )


def check_small_chunks_can_be_worse(sub):
    """A limit that small chunks miss and a larger one meets"""
    settings = {**ROUND, "kv_bytes_per_token": 1e6}
    # 200: ten steps, the last reads 1,800 + 200 * 9 tokens more than the first. 125: sixteen steps, 1,875 + 200 * 15.
    expect_equal(
        sub.largest_chunk(2000, [50] * 200, 0.009, **settings), 200,
        "not monotone: small chunks take more steps, in which the answers grow past the limit, so bisection goes astray",
    )


def check_remainder_can_be_longest(sub):
    """A short last chunk that reads the most"""
    settings = {**ROUND, "kv_bytes_per_token": 1e7}
    # Compute allows 818. Memory: 2e9 + 1e7 s <= 1.8e10, so no step may start behind token 1,600: the third chunk starts at 2 C.
    expect_equal(
        sub.largest_chunk(1700, [], 0.010, **{**settings, "params": 5.5e8}), 800,
        "the remainder behind the last full chunk is short, yet it starts last and reads the most",
    )


def check_contexts_grow(sub):
    """Answers that grow while the prompt is prefilled"""
    settings = {**ROUND, "kv_bytes_per_token": 1e6}
    # Compute allows 350. Memory: 2e9 + 1e6 (s + 100 * 120 + 100 k) <= 1.8e10, so s + 100 k <= 4,000; the tenth chunk starts at 9 C.
    expect_equal(
        sub.largest_chunk(3400, [120] * 100, 0.010, **settings), 344,
        "every answer is one token longer in every step: in step 9 that is 900 tokens more to read, and 9 * 344 + 900 fit 4,000",
    )


def check_edges(sub):
    """No chunk fits, a prompt of one token, exactly full"""
    expect_equal(sub.largest_chunk(500, [], 0.0015, **ROUND), 0, "0 means that no chunk meets the limit: the weights alone take 1 ms, with the overhead 2 ms")
    expect_equal(sub.largest_chunk(1, [], 0.010, **ROUND), 1, "a prompt of one token is one chunk")
    expect_equal(sub.largest_chunk(450, [], 0.010, **ROUND), 450, "exactly full still fits")
    expect_equal(sub.largest_chunk(500, [10] * 300, 0.007, **ROUND), 0, "0 means that no chunk meets the limit: 300 decodes and one token take 7.02 ms")


def check_known_model(sub):
    """Qwen2.5-7B in bf16 on one H100, 64 answers of 1,500 tokens"""
    expect_equal(
        sub.largest_chunk(8192, [1500] * 64, 0.050, **QWEN_7B_ON_H100), 1298,
        "decodes, attention over the prompt and overhead all take their part of 50 ms",
    )


def check_random(sub, ref, rng):
    """Sixty random systems against the reference"""
    done = 0
    while done < 60:
        settings = dict(
            params=rng.uniform(1e9, 5e10), attention_flops=rng.choice([0.0, rng.uniform(1e4, 2e6)]), weight_bytes=rng.uniform(1e9, 5e10),
            kv_bytes_per_token=rng.choice([0.0, rng.uniform(1e4, 1e6)]), flops=rng.uniform(1e14, 1e15), bandwidth=rng.uniform(1e12, 8e12),
            overhead=rng.uniform(0.0, 0.003),
        )
        prompt = rng.randint(1, rng.choice([5, 300, 3000]))
        contexts = [rng.randint(1, 4000) for _ in range(rng.choice([0, 1, 7, 120]))]
        floor = min(longest_steps(prompt, contexts, prompt, **settings))
        itl = rng.uniform(0.4, 1.1) * floor + rng.uniform(0.0, 0.01)
        expected = ref.largest_chunk(prompt, contexts, itl, **settings)
        near = [t for size in (expected, expected + 1) if 0 < size <= prompt for t in longest_steps(prompt, contexts, size, **settings)]
        if any(abs(t - itl) < 1e-7 * itl for t in near):
            continue  # too near to the border to be fair to another order of the same sums
        expect_equal(sub.largest_chunk(prompt, contexts, itl, **settings), expected, "every step that carries a chunk is at most `itl`")
        done += 1
