import hashlib
import struct


def block_keys(tokens, block_size, *, model, lora="", tenant=""):
    if block_size < 1:
        raise ValueError("block_size must be positive")
    root = hashlib.sha256("\x1f".join((model, lora, tenant)).encode()).digest()
    keys = []
    for start in range(0, len(tokens) - block_size + 1, block_size):
        block = struct.pack(f"<{block_size}I", *tokens[start : start + block_size])
        keys.append(hashlib.sha256(root + block).hexdigest())
    return keys


def cached_blocks(keys, cache):
    for count, key in enumerate(keys):
        if key not in cache:
            return count
    return len(keys)
