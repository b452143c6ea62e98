"""Hidden checks of exercise 501: tiled causal attention with a cache."""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal, fail

TOLERANCE = dict(rel=1e-4, abs=1e-5)


class Context:
    """Keys and values that are read tile by tile; remembers what was read."""

    def __init__(self, keys, values, tile):
        self.keys, self.values, self.tile = np.asarray(keys, dtype=float), np.asarray(values, dtype=float), tile
        self.read = []

    def read_tile(self, j):
        self.read.append(j)
        if not 0 <= j * self.tile < len(self.keys):
            raise IndexError(f"there is no tile {j}")
        part = slice(j * self.tile, (j + 1) * self.tile)
        return self.keys[part].copy(), self.values[part].copy()


def attend(sub, q, offset, context):
    """The submission's output, with its shape looked at."""
    q = np.asarray(q, dtype=float)
    got = sub.attend(q, offset, context.tile, context.read_tile)
    expect_equal(np.shape(got), q.shape, "one output per query")
    return np.asarray(got, dtype=np.float64)


def column(*numbers):
    return np.array(numbers, dtype=float)[:, None]


def plain(q, keys, values, offset):
    """Attention by the definition."""
    scores = q @ keys.T / np.sqrt(q.shape[1])
    visible = np.arange(len(keys)) <= offset + np.arange(len(q))[:, None]
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights @ values / weights.sum(axis=1, keepdims=True)


def check_example_one_query(sub):
    """A single query that sees one whole tile"""
    got = attend(sub, column(1), 2, Context(column(0, 0, 0), column(6, 2, 1), 3))
    expect_close(got, column(3), "three equal scores: the mean of 6, 2 and 1", **TOLERANCE)


def check_sees_itself(sub):
    """A chunk without a cache"""
    got = attend(sub, column(1, 1), 0, Context(column(0, 0), column(6, 2), 2))
    expect_close(got, column(6, 4), "query 0 sees itself, query 1 sees query 0 and itself", **TOLERANCE)


def check_offset(sub):
    """The worked example: a chunk behind a cached token"""
    got = attend(sub, column(1, 1), 1, Context(column(0, 0, 0), column(6, 2, 1), 3))
    expect_close(got, column(4, 3), "query i stands at position offset + i: it sees the cached tokens and the chunk up to itself", **TOLERANCE)


def check_several_tiles(sub):
    """Scores that rise from tile to tile, and that fall"""
    for name, keys in (("rise", [0, 0, np.log(4), np.log(4)]), ("fall", [np.log(4), np.log(4), 0, 0])):
        weights = np.exp(keys)
        got = attend(sub, column(1), 3, Context(column(*keys), column(1, 2, 3, 4), 2))
        expect_close(
            got, column(weights @ [1, 2, 3, 4] / weights.sum()),
            f"scores {name}: what was summed so far is relative to the old maximum; rescale sum and output, and divide once, at the end", **TOLERANCE,
        )


def check_ragged_last_tile(sub):
    """Five keys in tiles of four"""
    got = attend(sub, column(1), 4, Context(column(-2, -2, -2, -2, -2), column(1, 2, 3, 4, 5), 4))
    expect_close(got, column(3), "the last tile has one key; there are no others with a score of 0", **TOLERANCE)


def check_scale(sub):
    """Heads of size 4"""
    keys = np.array([[0.0] * 4, [np.log(3)] * 4])
    got = attend(sub, [[0.5] * 4], 1, Context(keys, np.array([[1.0] * 4, [5.0] * 4]), 2))
    expect_close(got, np.full((1, 4), 4.0), "scores are divided by the square root of the head size: log 3, so weights 1/4 and 3/4", **TOLERANCE)


def check_tile_masked_for_some(sub):
    """Tiles of one key"""
    got = attend(sub, column(1, 1, 1), 0, Context(column(0, 0, 0), column(3, 5, 10), 1))
    expect_close(got, column(3, 4, 6), "a tile may be visible for some queries only; where all is masked so far -inf - -inf is NaN", **TOLERANCE)
    got = attend(sub, column(1, 1), 2, Context(column(7, 7, 7, 9000), column(1, 1, 1, 1), 3))
    expect_close(got, column(1, 1), "query 0 sees nothing of the second tile: a row of -inf minus its maximum -inf would be NaN, -inf - -inf", **TOLERANCE)


def check_large_scores(sub):
    """Scores in the thousands"""
    got = attend(sub, column(1), 3, Context(column(5000, 5000, 9000, 9000 - np.log(3)), column(1, 2, 8, 4), 2))
    expect_close(got, column(7), "subtract the largest score before exp: only the last two count, 3 to 1", **TOLERANCE)
    got = attend(sub, column(1), 1, Context(column(-9000, -9000), column(1, 3), 1))
    expect_close(got, column(2), "the maximum starts at -inf: it is -9000 here, not 0", **TOLERANCE)


def check_reads_what_is_visible(sub):
    """Which tiles are read, and how often"""
    context = Context(column(*[0] * 40), column(*range(40)), 4)
    attend(sub, column(1, 1, 1), 10, context)
    expect_equal(max(context.read, default=0), 3, "the last query stands at position 12, in tile 3: later tiles no query can see")
    expect_equal(sorted(context.read), [0, 1, 2, 3], "each visible tile is read once, for all queries of the chunk")
    context = Context(column(*[0] * 8), column(*range(8)), 4)
    attend(sub, column(1, 1), 6, context)
    expect_equal(sorted(context.read), [0, 1], "the last query stands at position 7, the last of tile 1: there is no tile 2")


def check_arguments_unchanged(sub):
    """Queries afterwards"""
    q = np.array([[2.0, 4.0], [6.0, 8.0]])
    sub.attend(q, 0, 2, Context(np.ones((2, 2)), np.ones((2, 2)), 2).read_tile)
    expect_close(q, np.array([[2.0, 4.0], [6.0, 8.0]]), "the queries belong to the caller: scale a copy")


def check_random(sub, rng):
    """Thirty random chunks against plain attention"""
    draw = np.random.default_rng(rng.getrandbits(32))
    for _ in range(30):
        n, size, offset, tile = rng.randint(1, 20), rng.choice([1, 4, 16]), rng.choice([0, rng.randint(0, 150)]), rng.choice([1, 7, 16, 64])
        length = offset + n + rng.choice([0, 0, rng.randint(0, 30)])
        q, keys, values = (draw.normal(0, s, (rows, size)) for s, rows in ((2, n), (1, length), (1, length)))
        context = Context(keys, values, tile)
        expect_close(attend(sub, q, offset, context), plain(q, keys, values, offset), "plain causal attention, query i at position offset + i", **TOLERANCE)
        expect_equal(sorted(context.read), list(range((offset + n - 1) // tile + 1)), "each visible tile is read once")
