"""Exercise 180: bytes of KV cache per token."""


def kv_bytes_per_token(config, dtype_bytes=2):
    """Bytes that one token keeps in the KV cache, over all layers.

    Llama 3 70B in 16 bits: 80 layers x 2 x 8 KV heads x 128 x 2 bytes = 327,680.
    """
    return config["num_hidden_layers"] * numbers_per_layer(config) * dtype_bytes


def numbers_per_layer(config):
    """Cached numbers of one token in one layer."""
    latent, rope = config.get("kv_lora_rank"), config.get("qk_rope_head_dim")
    if latent is not None and rope is not None:
        # K and V are both projected up from the one latent, so there is no factor 2 and no number of heads: 512 + 64 in DeepSeek-V3.
        return latent + rope
    # .get(key, default) would not do: a key may be there with the value None.
    kv_heads = config.get("num_key_value_heads")
    if kv_heads is None:
        kv_heads = config["num_attention_heads"]
    head_dim = config.get("head_dim")
    if head_dim is None:
        head_dim = config["hidden_size"] // config["num_attention_heads"]
    return 2 * kv_heads * head_dim
