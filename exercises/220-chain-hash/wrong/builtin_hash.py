def block_keys(tokens, block_size, *, model, lora="", tenant=""):
    if block_size < 1:
        raise ValueError("block_size must be positive")
    parent = hash((model, lora, tenant))
    keys = []
    for start in range(0, len(tokens) - block_size + 1, block_size):
        parent = hash((parent, tuple(tokens[start : start + block_size])))
        keys.append(f"{parent & (2**64 - 1):064x}")
    return keys


def cached_blocks(keys, cache):
    for count, key in enumerate(keys):
        if key not in cache:
            return count
    return len(keys)
