"""Hidden checks of exercise 500: online softmax.

Expected values come from the plain three-pass formula in float64 (`plain_stats` below), the worked example also from a hand calculation.
"""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal, fail
from practice.kernel.scenario import scenario

MASKED = -np.inf
ROW = [[1, 3, 2], [0, 5, -1], [4, 4, 2]]
SCALE = "what was summed so far is relative to the old maximum: multiply it by exp(old - new)"


def tiles_of(*rows_of_tiles):
    """float32 tiles from lists."""
    return [np.array(tile, dtype=np.float32) for tile in rows_of_tiles]


def stats(sub, tiles):
    """The two arrays of the submission, after a look at their form and at how often it read."""
    left, calls = [*tiles, None], []

    def read_tile():
        calls.append(1)
        return left.pop(0) if left else None

    answer = sub.softmax_stats(read_tile)
    expect_equal(len(calls), len(tiles) + 1, "read_tile is called once per tile and once more, for the None that ends the row")
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        fail("the answer is not a pair", "return the two arrays m and l")
    for name, array in zip("ml", answer):
        expect_equal(np.shape(array), (tiles[0].shape[0],), f"`{name}` has one number per row")
    return [np.asarray(array, dtype=np.float64) for array in answer]


def plain_stats(tiles):
    """m and l by the definition, in float64."""
    scores = np.concatenate(tiles, axis=1).astype(np.float64)
    m = scores.max(axis=1)
    shift = np.where(np.isneginf(m), 0, m)
    return m, np.exp(scores - shift[:, None]).sum(axis=1)


def compare(sub, tiles, idea):
    """The submission's statistics against the definition."""
    if sum(tile.size for tile in tiles) <= 12:
        rows = ([" ".join(f"{x:g}" for x in row) for row in tile] for tile in tiles)
        idea = f"tiles {' | '.join(' / '.join(tile) for tile in rows)}: {idea}"
    expect_stats(stats(sub, tiles), plain_stats(tiles), idea, idea)


def expect_stats(got, right, idea_m, idea_l):
    """m exactly and l to 1e-5, each under its name."""
    expect_close({"m": got[0]}, {"m": right[0]}, idea_m, rel=0)
    expect_close({"l": got[1]}, {"l": right[1]}, idea_l, rel=1e-5)


def check_example_one_tile(sub):
    """A single tile"""
    right = np.array([3.0]), np.array([1.5032147244])
    expect_stats(stats(sub, tiles_of([[1, 3, 2]])), right, "the largest entry", "e^-2 + 1 + e^-1")


def check_example_weights(sub):
    """The worked example: weights of the middle tile"""
    got = sub.softmax_tile(np.array([[0, 5, -1]], dtype=np.float32), np.array([5.0]), np.array([1.9982007]))
    expect_close(got, np.array([[0.0033720, 0.5004502, 0.0012405]]), "exp(x - m) / l", rel=1e-3)


def check_rescale(sub):
    """The worked example up to its second tile, whose maximum is larger"""
    compare(sub, tiles_of([ROW[0]], [ROW[1]]), SCALE)


def check_falling_maximum(sub):
    """The worked example to its end, where the maximum falls again"""
    compare(sub, tiles_of(*[[tile] for tile in ROW]), "the maximum so far is kept, and a lower tile scales nothing")
    compare(sub, tiles_of([[9.0, 8.0]], [[1.0, 2.0]], [[4.0, 5.0]]), "the maximum so far is kept, and a lower tile scales nothing")
    compare(sub, tiles_of([[3, 1], [1, 2]], [[2, 2], [6, 0]], [[8, 0], [5, 5]]), "every row has its own maximum")


def check_negative_scores(sub):
    """Rows that are negative everywhere"""
    compare(sub, tiles_of([[-50, -60]], [[-70, -40]]), "the maximum of a negative row is negative; start at -inf, not at 0")


def check_large_scores(sub):
    """Scores up to 1e5 either way"""
    large = "exp(89) overflows float32 and exp(710) float64: subtract the maximum before the exponential"
    compare(sub, tiles_of([[100, 99]], [[98, 101]]), large)
    compare(sub, tiles_of([[1e5, 0]], [[99_990, -1e5]]), large)
    compare(sub, tiles_of([[-1e5, -1e5]], [[-99_999, -1e5]]), large)


def check_masked_tile(sub):
    """Rows that begin or end with a masked tile"""
    tiles = tiles_of([[MASKED, MASKED], [1, 2]], [[3, MASKED], [MASKED, MASKED]], [[MASKED, 4], [MASKED, MASKED]])
    compare(sub, tiles, "a tile with nothing but -inf changes nothing, and -inf - -inf is NaN")


def check_masked_row(sub):
    """A row that is masked everywhere"""
    tiles = tiles_of([[MASKED, MASKED], [1, 2]], [[MASKED], [3]])
    right = np.array([MASKED, 3.0]), np.array([0.0, 1.5032147244])
    maximum, total = "a fully masked row has the maximum -inf", "a fully masked row has the sum 0, and -inf - -inf is NaN"
    expect_stats(stats(sub, tiles), right, maximum, total)


def check_weights_masked(sub):
    """Weights of masked entries and masked rows"""
    tile = np.array([[MASKED, MASKED], [1, MASKED]], dtype=np.float32)
    got = sub.softmax_tile(tile, np.array([MASKED, 3.0]), np.array([0.0, 1.5032147244]))
    expect_close(got, np.array([[0.0, 0.0], [0.0900306, 0.0]]), "a fully masked row has weights 0: mind -inf - -inf, and 0 / 0", rel=1e-5)
    got = sub.softmax_tile(np.array([[0.0, 1e5, -1e5]], dtype=np.float32), np.array([1e5]), np.array([2.0]))
    expect_close(got, np.array([[0.0, 0.5, 0.0]]), "exp(x - m), never exp(x) alone", rel=1e-5, abs=1e-30)


def check_arguments_unchanged(sub):
    """Tile and statistics stay as they were"""
    tile, m, l = np.array([[1, 2], [3, MASKED]], dtype=np.float32), np.array([2.0, 3.0]), np.array([1.3678794, 1.0])
    before = [array.copy() for array in (tile, m, l)]
    sub.softmax_tile(tile, m, l)
    for array, old in zip((tile, m, l), before):
        expect_equal(array, old, "in-place operations on an argument change the caller's array")


@scenario
def read_with_witness(submission, count, rows, width, seed):
    """Hands out tiles and counts, at each call, how many earlier ones somebody still holds, and whether one was changed."""
    import gc
    import weakref

    import numpy as np

    source = np.random.default_rng(seed)
    handed, alive, last = [], [], []

    def read_tile():
        # The tile handed out last may still be referenced; its content must be as it was.
        if handed and handed[-1]() is not None and not np.array_equal(handed[-1](), last[-1]):
            alive.append(-1)
        gc.collect()
        alive.append(sum(reference() is not None for reference in handed))
        if len(handed) == count:
            return None
        tile = source.normal(0, 5, (rows, width)).astype(np.float32)
        last[:] = [tile.copy()]
        handed.append(weakref.ref(tile))
        return tile

    m, l = submission.softmax_stats(read_tile)
    return {"alive": max(alive), "changed": min(alive) < 0, "m": np.asarray(m), "l": np.asarray(l)}


def check_one_pass(sub):
    """At most one earlier tile is kept"""
    seen = sub.run(read_with_witness, 40, 4, 32, 7)
    expect_equal(seen["changed"], False, "the tiles stay as they were")
    if seen["alive"] > 1:
        fail(f"{seen['alive']} earlier tiles were still referenced", "keep two numbers per row, not the tiles: together they do not fit into memory")
    source = np.random.default_rng(7)
    right = plain_stats([source.normal(0, 5, (4, 32)).astype(np.float32) for _ in range(40)])
    expect_stats([np.asarray(seen[name], dtype=np.float64) for name in "ml"], right, "the maximum over 40 tiles", SCALE)


def check_random(sub, rng):
    """Thirty random rows of tiles, compared with the three-pass formula"""
    for _ in range(30):
        source = np.random.default_rng(rng.randrange(2**32))
        rows, scale = rng.randrange(1, 6), rng.choice([1, 10, 1000, 30_000])
        tiles = []
        for _ in range(rng.randrange(1, 7)):
            tile = source.normal(0, scale, (rows, rng.randrange(1, 9))).astype(np.float32)
            tile[source.random(tile.shape) < rng.choice([0, 0.3, 0.9])] = MASKED
            tiles.append(tile)
        compare(sub, tiles, "random tiles, some masked")
        m, l = plain_stats(tiles)
        shift, divisor = np.where(np.isneginf(m), 0, m), np.where(l == 0, 1, l)
        right = np.exp(tiles[0].astype(np.float64) - shift[:, None]) / divisor[:, None]
        got = sub.softmax_tile(tiles[0], m, l)
        expect_close(np.asarray(got, dtype=np.float64), right, "exp(x - m) / l", rel=1e-5, abs=1e-30)
