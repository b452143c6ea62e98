"""Exercise 503: the cache seen as one long row of slots; the tables say which of them to gather."""

import numpy as np


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """One query per head, (heads, size), over (length, kv_heads, size) keys and values; length is at least 1."""
    kv_heads, size = k.shape[1:]
    grouped = q.reshape(kv_heads, -1, size).astype(np.float64)
    scores = np.einsum("hgd,lhd->hgl", grouped, k) / np.sqrt(size)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("hgl,lhd->hgd", weights, v).reshape(q.shape)


def paged_decode(
    q: np.ndarray, k_cache: np.ndarray, v_cache: np.ndarray, tables: list[list[int]], lengths: list[int]
) -> np.ndarray:
    """Attention of one new query per sequence over its cached keys and values; (batch, heads, size)."""
    blocks, block_size, *rest = k_cache.shape
    k_slots, v_slots = (cache.reshape(blocks * block_size, *rest) for cache in (k_cache, v_cache))
    out = np.zeros(q.shape)
    for sequence, (table, length) in enumerate(zip(tables, lengths)):
        if length:
            block, slot = np.divmod(np.arange(length), block_size)
            slots = np.asarray(table)[block] * block_size + slot
            out[sequence] = attend(q[sequence], k_slots[slots], v_slots[slots])
    return out
