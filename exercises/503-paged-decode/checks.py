"""Hidden checks of exercise 503: decode attention through block tables."""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal

TOLERANCE = dict(rel=1e-4, abs=1e-5)


def decode(sub, q, k, v, tables, lengths):
    """The submission's output, with its shape looked at."""
    got = sub.paged_decode(np.asarray(q, dtype=float), np.asarray(k, dtype=float), np.asarray(v, dtype=float), tables, lengths)
    expect_equal(np.shape(got), np.shape(q), "one output per query head")
    return np.asarray(got, dtype=np.float64)


def small(sub, keys, values, table, length, query=1.0):
    """One sequence, one head of size 1, blocks of two slots given as lists; the output as a number."""
    cache = lambda blocks: np.array(blocks, dtype=float)[:, :, None, None]
    return float(decode(sub, [[[query]]], cache(keys), cache(values), [table], [length])[0, 0, 0])


def check_example_two_tokens(sub):
    """The worked example of the prompt"""
    expect_close(small(sub, [[9, 9], [0, 0]], [[9, 9], [3, 5]], [1], 2, 7.0), 4.0, "two equal scores: the mean of 3 and 5", **TOLERANCE)


def check_uneven_weights(sub):
    """Two different scores"""
    got = small(sub, [[0, np.log(3)]], [[3, 5]], [0], 2)
    expect_close(got, 4.5, "softmax of 0 and log(3) is 1/4 and 3/4", **TOLERANCE)


def check_table_order(sub):
    """A table that is not sorted"""
    keys = [[np.log(2), 0], [9, 9], [0, np.log(3)], [0, 0]]
    got = small(sub, keys, [[1, 2], [9, 9], [4, 8], [50, 60]], [2, 0, 3], 4)
    # Four tokens: block 2 (4, 8) and block 0 (1, 2), with weights 1, 3, 2, 1.
    expect_close(got, (4 + 3 * 8 + 2 * 1 + 2) / 7, "tokens lie in the order of the table", **TOLERANCE)
    got = small(sub, keys, [[1, 2], [9, 9], [4, 8], [50, 60]], [3, 0, 2], 4)
    expect_close(got, (50 + 60 + 2 * 1 + 2) / 5, "tokens lie in the order of the table: blocks 3 and 0, not 0 and 2", **TOLERANCE)


def check_stops_at_length(sub):
    """A length that ends within a block, and a table with a spare block"""
    for old in (1000.0, np.nan, np.inf):
        got = small(sub, [[0, 0], [0, old], [old, old]], [[1, 2], [3, old], [old, old]], [0, 1, 2], 3)
        expect_close(got, 2.0, f"three tokens count; behind them is whatever was there before, here {old}", **TOLERANCE)


def check_two_sequences(sub):
    """A batch of two, with a shared block"""
    keys = np.zeros((3, 2, 1, 1))
    values = np.array([[1, 3], [10, 30], [100, 300]], dtype=float)[:, :, None, None]
    got = decode(sub, [[[1.0]], [[1.0]]], keys, values, [[0, 1], [0, 2]], [4, 3])
    expect_close(got[:, 0, 0], np.array([11.0, 104 / 3]), "each sequence has its own table and length; block 0 is shared", **TOLERANCE)


def check_grouped_heads(sub):
    """Four query heads, two KV heads"""
    keys = np.zeros((1, 2, 2, 1))
    values = np.array([[[1.0], [10.0]], [[3.0], [30.0]]])[None]
    got = decode(sub, np.ones((1, 4, 1)), keys, values, [[0]], [2])
    expect_close(got[0, :, 0], np.array([2.0, 2.0, 20.0, 20.0]), "consecutive query heads share a KV head: 0 and 1 the first, 2 and 3 the second", **TOLERANCE)


def check_scale(sub):
    """Heads of size 4"""
    keys = np.array([[[0.0] * 4], [[np.log(3)] * 4]])[None]
    values = np.array([[[1.0] * 4], [[5.0] * 4]])[None]
    got = decode(sub, [[[0.5] * 4]], keys, values, [[0]], [2])
    # q . k = 2 log 3; divided by sqrt(4) = log 3: weights 1/4 and 3/4.
    expect_close(got[0, 0], np.full(4, 4.0), "scores are divided by the square root of the head size", **TOLERANCE)


def check_large_scores(sub):
    """Scores of a thousand and more"""
    expect_close(small(sub, [[5000, 5000 - np.log(3)]], [[8, 4]], [0], 2), 7.0, "subtract the largest score before exp: weights 3/4 and 1/4", **TOLERANCE)
    expect_close(small(sub, [[-5000, -5000]], [[8, 4]], [0], 2), 6.0, "subtract the largest score before exp, which is -5000 here", **TOLERANCE)


def check_empty_sequence(sub):
    """A slot of the batch without tokens"""
    cache = np.full((1, 2, 1, 1), np.nan)
    got = decode(sub, [[[1.0]]], cache, cache, [[]], [0])
    expect_close(got, np.zeros((1, 1, 1)), "nothing to attend to: zeros", **TOLERANCE)
    cache[0, 0] = 2.0
    got = decode(sub, [[[1.0]], [[1.0]]], cache, cache, [[0], [0]], [0, 1])
    expect_close(got[:, 0, 0], np.array([0.0, 2.0]), "length 0 gives zeros, even if the table names a block", **TOLERANCE)


def check_arguments_unchanged(sub):
    """Caches and queries afterwards"""
    q, k, v = np.ones((1, 2, 2)), np.arange(8.0).reshape(1, 2, 2, 2), np.arange(8.0).reshape(1, 2, 2, 2)
    before = q.copy(), k.copy(), v.copy()
    sub.paged_decode(q, k, v, [[0]], [1])
    expect_close((q, k, v), before, "the cache belongs to all sequences and is not changed")


def check_random(sub, rng):
    """Fifteen random batches against plain attention"""
    draw = np.random.default_rng(rng.getrandbits(32))
    for _ in range(15):
        batch, kv_heads, group, size = rng.randint(1, 5), rng.choice([1, 2, 4]), rng.choice([1, 2, 7]), rng.choice([1, 8, 16])
        block_size, blocks = rng.choice([1, 4, 16]), 24
        q = draw.normal(0, 1, (batch, kv_heads * group, size))
        k, v = (draw.normal(0, 1, (blocks, block_size, kv_heads, size)) for _ in range(2))
        tables = [rng.sample(range(blocks), rng.randint(0, 8)) for _ in range(batch)]
        lengths = [rng.randint(0, len(table) * block_size) for table in tables]
        expected = np.zeros_like(q)
        for s, h in np.ndindex(batch, kv_heads * group):
            places = [(tables[s][p // block_size], p % block_size, h // group) for p in range(lengths[s])]
            if places:
                scores = np.array([q[s, h] @ k[place] for place in places]) / size**0.5
                weights = np.exp(scores - scores.max())
                expected[s, h] = weights @ np.array([v[place] for place in places]) / weights.sum()
        expect_close(decode(sub, q, k, v, tables, lengths), expected, "plain softmax attention over the tokens that the table names, up to the length", **TOLERANCE)
