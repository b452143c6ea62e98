import hashlib
import struct


def block_keys(tokens, block_size, *, model, lora="", tenant=""):
    parent = hashlib.sha256("\x1f".join((model, lora, tenant)).encode()).digest()
    keys = []
    for start in range(0, len(tokens) - block_size + 1, block_size):
        block = b"".join(t.to_bytes(4, "little") for t in tokens[start : start + block_size])
        parent = hashlib.sha256(parent + block).digest()
        keys.append(parent.hex())
    return keys


def cached_blocks(keys, cache):
    for count, key in enumerate(keys):
        if key not in cache:
            return count
    return len(keys)
