"""Bytes of KV cache per token: drop the absent keys first, then count the numbers of one layer."""


def kv_bytes_per_token(config, dtype_bytes=2):
    """Bytes that one token keeps in the KV cache, over all layers."""
    given = {key: value for key, value in config.items() if value is not None}
    return given["num_hidden_layers"] * numbers_per_layer(given) * dtype_bytes


def numbers_per_layer(given):
    """Numbers one layer caches per token; `given` holds only the keys that have a value."""
    latent, rope = given.get("kv_lora_rank"), given.get("qk_rope_head_dim")
    if latent is not None and rope is not None:
        return latent + rope
    queries = given["num_attention_heads"]
    heads = given.get("num_key_value_heads", queries)
    size = given.get("head_dim", given["hidden_size"] // queries)
    return 2 * heads * size
