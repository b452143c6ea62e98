"""Hidden checks of exercise 180: KV bytes per token.

The configs are those of the published models, cut to the keys that matter and a few that do not. Each expected number was multiplied
out by hand and compared with bytes per token that the model's users report (327,680 for Llama 3 70B, 70,272 for DeepSeek-V3).
"""

from practice.kernel.expect import expect_equal

LLAMA2_7B = {"num_hidden_layers": 32, "num_attention_heads": 32, "hidden_size": 4096}
LLAMA3_70B = {"num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8, "hidden_size": 8192, "vocab_size": 128256}
QWEN25_7B = {"num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "hidden_size": 3584, "intermediate_size": 18944}
QWEN3_06B = {"num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8, "hidden_size": 1024, "head_dim": 128}
DEEPSEEK_V3 = {
    "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "hidden_size": 7168, "q_lora_rank": 1536,
    "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
}  # fmt: skip
ONE_TYPE = "K and V of every KV head, in every layer"


def check_example_llama2(sub):
    """The worked example: Llama 2 7B, one KV head per query head"""
    expect_equal(sub.kv_bytes_per_token(LLAMA2_7B), 524_288, "32 layers x 2 x 32 heads x 128 numbers x 2 bytes")


def check_example_one_byte(sub):
    """The worked example with an FP8 cache"""
    expect_equal(sub.kv_bytes_per_token(LLAMA2_7B, 1), 262_144, "half the bytes per number")


def check_grouped_heads(sub):
    """Grouped-query attention: fewer KV heads than query heads"""
    grouped = "only KV heads are cached; the query heads of a group share one"
    expect_equal(sub.kv_bytes_per_token(QWEN25_7B), 57_344, grouped)
    expect_equal(sub.kv_bytes_per_token(LLAMA3_70B), 327_680, grouped)
    expect_equal(sub.kv_bytes_per_token({**LLAMA3_70B, "num_key_value_heads": 1}), 40_960, "multi-query attention has one KV head")


def check_explicit_head_dim(sub):
    """A head size that is not hidden size / heads"""
    own = "head_dim is a key of its own; hidden_size / heads is only its default (64 here, but the heads have 128)"
    expect_equal(sub.kv_bytes_per_token(QWEN3_06B), 114_688, own)
    uneven = {"num_hidden_layers": 10, "num_attention_heads": 24, "num_key_value_heads": 4, "hidden_size": 1000}
    expect_equal(sub.kv_bytes_per_token(uneven), 10 * 2 * 4 * 41 * 2, "where head_dim is absent it is hidden_size // num_attention_heads, a whole number")


def check_latent(sub):
    """Multi-head latent attention"""
    expect_equal(sub.kv_bytes_per_token(DEEPSEEK_V3), 70_272, "MLA caches one latent for K and V together plus one rotary key: 61 x (512 + 64) x 2 bytes")
    expect_equal(sub.kv_bytes_per_token(DEEPSEEK_V3, 1), 35_136, "the latent in 8 bits")


def check_null_values(sub):
    """Values that are there, but None"""
    null = "a config may hold a key with the value None, which means absent"
    empty = {"head_dim": None, "kv_lora_rank": None, "qk_rope_head_dim": None}
    expect_equal(sub.kv_bytes_per_token({**QWEN25_7B, **empty}), 57_344, null)
    expect_equal(sub.kv_bytes_per_token({**LLAMA2_7B, **empty, "num_key_value_heads": None}), 524_288, null)
    half = {**QWEN25_7B, "kv_lora_rank": 512, "qk_rope_head_dim": None}
    expect_equal(sub.kv_bytes_per_token(half), 57_344, "MLA needs both of its keys")
    half = {**QWEN25_7B, "kv_lora_rank": None, "qk_rope_head_dim": 64}
    expect_equal(sub.kv_bytes_per_token(half), 57_344, "MLA needs both of its keys")


def check_element_size(sub):
    """Caches in 4, 2 and 1 bytes"""
    for size, expected in ((4, 655_360), (2, 327_680), (1, 163_840)):
        expect_equal(sub.kv_bytes_per_token(LLAMA3_70B, size), expected, "the answer is proportional to dtype_bytes")


def check_config_unchanged(sub):
    """The config stays as it was"""
    config = {**QWEN25_7B, "head_dim": None}
    before = dict(config)
    sub.kv_bytes_per_token(config)
    expect_equal(config, before, "filling in defaults must not change the caller's config")


def check_random(sub, ref, rng):
    """Two hundred random configs, compared with the reference"""
    for _ in range(200):
        kv_heads = rng.choice([1, 2, 4, 8])
        config = {"num_hidden_layers": rng.randrange(1, 129), "num_attention_heads": kv_heads * rng.choice([1, 4, 8]), "hidden_size": rng.randrange(8, 129) * 64}
        for key, value in (("num_key_value_heads", kv_heads), ("head_dim", rng.choice([64, 96, 128, 256]))):
            if (kind := rng.randrange(3)) < 2:
                config[key] = value if kind else None
        if rng.random() < 0.2:
            config |= {"kv_lora_rank": rng.choice([256, 512]), "qk_rope_head_dim": rng.choice([32, 64])}
        size = rng.choice([1, 2, 4])
        expect_equal(sub.kv_bytes_per_token(config, size), ref.kv_bytes_per_token(config, size), ONE_TYPE)
