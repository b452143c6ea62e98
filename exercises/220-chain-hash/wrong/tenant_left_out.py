import hashlib
import struct


def block_keys(tokens, block_size, *, model, lora="", tenant=""):
    if block_size < 1:
        raise ValueError(f"block_size is {block_size}, but a block holds at least one token")
    parent = hashlib.sha256("\x1f".join((model, lora, "")).encode()).digest()
    keys = []
    for start in range(0, len(tokens) - block_size + 1, block_size):
        block = tokens[start : start + block_size]
        parent = hashlib.sha256(parent + struct.pack(f"<{block_size}I", *block)).digest()
        keys.append(parent.hex())
    return keys


def cached_blocks(keys, cache):
    for count, key in enumerate(keys):
        if key not in cache:
            return count
    return len(keys)
