import numpy as np


def paged_decode(q, k_cache, v_cache, tables, lengths):
    batch, heads, size = q.shape
    block_size, kv_heads = k_cache.shape[1:3]
    out = np.zeros((batch, heads, size))
    for s, (table, length) in enumerate(zip(tables, lengths)):
        used = np.array(table[: -(-length // block_size)], dtype=int)
        keys = k_cache[used].reshape(-1, kv_heads, size)[:length]
        values = v_cache[used].reshape(-1, kv_heads, size)[:length]
        groups = q[s].reshape(kv_heads, heads // kv_heads, size)
        scores = np.einsum("kgd,tkd->kgt", groups, keys) / np.sqrt(size)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        out[s] = np.einsum("kgt,tkd->kgd", weights, values).reshape(heads, size)
    return out
