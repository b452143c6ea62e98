"""Keys for prefix-cache blocks: a hash chain.

A block's keys and values depend on all tokens before it, so its cache key has to as well. Chaining does that at the cost of hashing each token once,
and a salted root keeps models, adapters and tenants apart without a second look-up.
"""

import hashlib
import struct


def block_keys(tokens, block_size, *, model, lora="", tenant=""):
    """One key per full block, as 64 hex digits; each covers everything before it."""
    if block_size < 1:
        raise ValueError(f"block_size is {block_size}, but a block holds at least one token")
    parent = hashlib.sha256("\x1f".join((model, lora, tenant)).encode()).digest()
    keys = []
    for start in range(0, len(tokens) - block_size + 1, block_size):
        block = tokens[start : start + block_size]
        parent = hashlib.sha256(parent + struct.pack(f"<{block_size}I", *block)).digest()
        keys.append(parent.hex())
    return keys


def cached_blocks(keys, cache):
    """How many leading blocks of a request the cache holds."""
    for count, key in enumerate(keys):
        if key not in cache:
            return count
    return len(keys)
