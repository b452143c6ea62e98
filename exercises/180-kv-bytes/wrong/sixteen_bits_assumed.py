"""Knows FP8 and bf16 only."""

def kv_bytes_per_token(config, dtype_bytes=2):
    layers = config["num_hidden_layers"]
    heads = config["num_attention_heads"]
    if config.get("kv_lora_rank") and config.get("qk_rope_head_dim"):
        return layers * (config["kv_lora_rank"] + config["qk_rope_head_dim"]) * dtype_bytes
    kv_heads = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or config["hidden_size"] // heads
    return layers * 2 * kv_heads * head_dim * (1 if dtype_bytes == 1 else 2)
