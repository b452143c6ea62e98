"""Hidden checks of exercise 182: prefill floor.

The numbers were calculated from the closed form, and again by counting the pairs of small prompts one by one (`count_pairs`).
"""

from practice.kernel.expect import expect_close, expect_equal

LLAMA3_70B = {"params": 70_600_000_000, "layers": 80, "heads": 64, "head_dim": 128}
DEEPSEEK_V3 = {"params": 671_000_000_000, "active_params": 37_000_000_000, "layers": 61, "heads": 128, "head_dim": 160}
TINY = {"params": 0, "layers": 1, "heads": 1, "head_dim": 1}  # 4 FLOP per pair and nothing else


def count_pairs(new, cached):
    """Pairs of one prompt, counted: token i meets the cached ones, those before it and itself."""
    return sum(cached + i + 1 for i in range(new))


def check_example_short_prompt(sub):
    """The worked example: FLOP of 100 tokens, to 1 %"""
    expect_close(sub.prefill_flops(LLAMA3_70B, [(100, 0)]), 14_133_238_272_000, "2 x parameters x tokens, and a little attention", rel=0.01)


def check_example_seconds(sub):
    """The worked example: seconds, to 1 %"""
    expect_close(sub.prefill_floor(LLAMA3_70B, [(100, 0)], 989e12, 0.5, 8), 0.0035726, "FLOP / (8 x 989e12 x 0.5)", rel=0.01)


def check_linear_layers(sub):
    """Parameters alone"""
    no_heads = {**LLAMA3_70B, "heads": 0}
    expect_equal(sub.prefill_flops(no_heads, [(4096, 0)]), 2 * 70_600_000_000 * 4096, "2 FLOP per parameter and new token")
    expect_equal(sub.prefill_flops(no_heads, [(1000, 3096)]), 2 * 70_600_000_000 * 1000, "cached tokens do not pass through the layers again")


def check_attention_counts(sub):
    """A long prompt"""
    got = sub.prefill_flops(LLAMA3_70B, [(131_072, 0)])
    linear = 2 * 70_600_000_000 * 131_072
    assert got > 1.2 * linear, "attention grows with the square of the prompt; at 131,072 tokens it is the larger part"


def check_causal(sub):
    """A token does not meet later tokens"""
    causal = "causal attention is a triangle with its diagonal: n (n + 1) / 2 pairs"
    expect_equal(sub.prefill_flops(TINY, [(1, 0)]), 4, "a single token meets itself: one pair, 4 FLOP")
    expect_equal(sub.prefill_flops(TINY, [(3, 0)]), 4 * 6, causal)
    expect_equal(sub.prefill_flops(LLAMA3_70B, [(131_072, 0)]), 2 * 70_600_000_000 * 131_072 + 2_621_440 * 8_590_000_128, causal)


def check_four_per_pair(sub):
    """Layers, heads and head size"""
    one = {"params": 0, "layers": 3, "heads": 5, "head_dim": 7}
    expect_equal(sub.prefill_flops(one, [(2, 0)]), 4 * 3 * 5 * 7 * 3, "4 x head_dim FLOP per pair, in each head of each layer")


def check_cached_tokens(sub):
    """Cached tokens have keys, but no queries"""
    cached = "a new token meets the cached ones too: n x c pairs and a triangle"
    expect_equal(sub.prefill_flops(TINY, [(3, 4)]), 4 * 18, cached)
    expect_equal(sub.prefill_flops(LLAMA3_70B, [(1000, 31_000)]), 2 * 70_600_000_000_000 + 2_621_440 * count_pairs(1000, 31_000), cached)
    expect_equal(sub.prefill_flops(LLAMA3_70B, [(0, 5000)]), 0, "without new tokens there is nothing to do")


def check_separate_prompts(sub):
    """Prompts of a batch do not see each other"""
    expect_equal(sub.prefill_flops(TINY, [(3, 0), (3, 0)]), 4 * 12, "two triangles of 6, not one of 21: prompts do not attend to each other")
    expect_equal(sub.prefill_flops(TINY, [(2, 5), (4, 0), (0, 9)]), 4 * (13 + 10), "each new token meets the cached tokens of its own prompt only")
    expect_equal(sub.prefill_flops(LLAMA3_70B, []), 0, "an empty batch costs nothing")


def check_active_parameters(sub):
    """A mixture of experts"""
    expected = 2 * 37_000_000_000 * 4096 + 4 * 61 * 128 * 160 * count_pairs(4096, 0)
    expect_equal(sub.prefill_flops(DEEPSEEK_V3, [(4096, 0)]), expected, "a token meets only its active parameters: 37e9 of 671e9")


def check_floor(sub):
    """Seconds on several GPUs"""
    flops = 2 * 70_600_000_000 * 4096 + 2_621_440 * count_pairs(4096, 0)
    expect_close(sub.prefill_floor(LLAMA3_70B, [(4096, 0)], 989e12, 0.5, 8), flops / 3.956e15, "FLOP / (GPUs x peak x mfu): 151.8 ms")
    expect_close(sub.prefill_floor(LLAMA3_70B, [(4096, 0)], 989e12), flops / 494.5e12, "one GPU at half of its peak")
    expect_close(sub.prefill_floor(LLAMA3_70B, [(4096, 0)], 989e12, mfu=0.4), flops / 395.6e12, "one GPU at 0.4 of its peak")
    expect_equal(sub.prefill_floor(LLAMA3_70B, [], 989e12), 0, "an empty batch takes no time")


def check_arguments_unchanged(sub):
    """Model and prompts stay as they are"""
    model, prompts = dict(LLAMA3_70B), [(5, 1), (3, 0)]
    sub.prefill_flops(model, prompts)
    expect_equal(model, LLAMA3_70B, "the model belongs to the caller")
    expect_equal(prompts, [(5, 1), (3, 0)], "the list belongs to the caller")


def check_random(sub, rng):
    """A hundred random batches, with the pairs counted one by one"""
    for _ in range(100):
        model = {"params": rng.randrange(10**18), "layers": rng.randrange(1, 100), "heads": rng.randrange(1, 100), "head_dim": rng.choice([64, 128])}
        if rng.random() < 0.5:
            model["active_params"] = rng.randrange(model["params"] + 1)
        prompts = [(rng.randrange(200), rng.randrange(200)) for _ in range(rng.randrange(5))]
        per_pair = 4 * model["layers"] * model["heads"] * model["head_dim"]
        active = model.get("active_params", model["params"])
        expected = sum(2 * active * n + per_pair * count_pairs(n, c) for n, c in prompts)
        expect_equal(sub.prefill_flops(model, prompts), expected, "2 x active parameters x new tokens, and 4 x head_dim per pair")
