"""Decode attention through block tables.

Gathering the blocks of one sequence and cutting at its length turns paged attention into plain attention. (A kernel does not gather: it walks the table and keeps online-softmax
statistics. The numbers are the same.)
"""

import numpy as np


def paged_decode(q, k_cache, v_cache, tables, lengths):
    """Attention of one new query per sequence over its cached keys and values."""
    batch, heads, size = q.shape
    block_size, kv_heads = k_cache.shape[1:3]
    out = np.zeros((batch, heads, size))
    for s, (table, length) in enumerate(zip(tables, lengths)):
        if length == 0:
            continue
        used = table[: -(-length // block_size)]
        # (tokens, kv_heads, size): in the order of the table, cut at the length before anything is computed with it.
        keys = k_cache[used].reshape(-1, kv_heads, size)[:length]
        values = v_cache[used].reshape(-1, kv_heads, size)[:length]
        # Query heads in groups of consecutive ones, each group with its KV head.
        groups = q[s].reshape(kv_heads, heads // kv_heads, size)
        scores = np.einsum("kgd,tkd->kgt", groups, keys) / np.sqrt(size)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        out[s] = np.einsum("kgt,tkd->kgd", weights, values).reshape(heads, size)
    return out
