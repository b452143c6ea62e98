"""Hidden checks of exercise 504: merge split-KV partial results."""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal, fail

OUT = dict(rel=1e-5, abs=1e-6)
LSE = dict(rel=1e-6, abs=1e-6)


def merged(sub, outs, lses):
    """The submission's pair, after a look at its shapes."""
    answer = sub.merge(np.asarray(outs), np.asarray(lses))
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        fail("the answer is not a pair", "return the two arrays out and lse")
    rows, dim = np.shape(outs)[1:]
    expect_equal((np.shape(answer[0]), np.shape(answer[1])), ((rows, dim), (rows,)), "one output of `dim` numbers and one lse per row")
    return np.asarray(answer[0], dtype=np.float64), np.asarray(answer[1], dtype=np.float64)


def attention(scores, values):
    """Output and lse of plain attention over some keys: (rows, keys) and (keys, dim)."""
    if scores.shape[1] == 0:
        return np.full((len(scores), values.shape[1]), np.nan), np.full(len(scores), -np.inf)
    largest = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - largest)
    total = weights.sum(axis=1, keepdims=True)
    return weights @ values / total, (largest + np.log(total))[:, 0]


def check_example_equal_splits(sub):
    """The worked example of the prompt"""
    out, _ = merged(sub, [[[1.0]], [[3.0]]], [[0.0], [0.0]])
    expect_close(out, np.array([[2.0]]), "two splits of equal mass: the mean", **OUT)


def check_unequal_splits(sub):
    """A split with three times the mass"""
    out, _ = merged(sub, [[[1.0]], [[3.0]]], [[0.0], [np.log(3.0)]])
    expect_close(out, np.array([[2.5]]), "each split's weight is its share of all exponentials: 1 against 3", **OUT)
    out, _ = merged(sub, [[[1.0, 0.0]], [[0.0, 1.0]], [[4.0, 4.0]]], [[2.0], [1.0], [-30.0]])
    expect_close(out, np.array([[0.7310586, 0.2689414]]), "each split's weight is exp(lse), so the third counts for nothing", **OUT)


def check_merged_lse(sub):
    """The merged log-sum-exp"""
    _, lse = merged(sub, [[[1.0]], [[3.0]]], [[0.0], [np.log(3.0)]])
    expect_close(lse, np.array([np.log(4.0)]), "the log of the sum of all exponentials: log(1 + 3)", **LSE)
    _, lse = merged(sub, [[[1.0]]], [[-5.5]])
    expect_close(lse, np.array([-5.5]), "one split: the log of the sum is its own", **LSE)


def check_large_scores(sub):
    """Log-sum-exps beyond what exp can take"""
    out, lse = merged(sub, [[[1.0], [1.0]], [[2.0], [2.0]]], [[1000.0, -2000.0], [1000.0, -2000.0]])
    expect_close(out, np.array([[1.5], [1.5]]), "subtract the largest of the splits before exp, row by row", **OUT)
    expect_close(lse, np.array([1000.6931472, -1999.3068528]), "subtract the largest of the splits before exp, and add it again after log", **LSE)


def check_empty_split(sub):
    """Splits that had no keys"""
    for garbage in (np.nan, np.inf, -np.inf, 1e30):
        out, lse = merged(sub, [[[garbage, garbage]], [[3.0, 4.0]]], [[-np.inf], [0.5]])
        expect_close(out, np.array([[3.0, 4.0]]), f"a split with lse -inf had nothing in it; its output, here {garbage}, must not be touched", **OUT)
        expect_close(lse, np.array([0.5]), "a split with nothing in it adds nothing", **LSE)


def check_all_empty(sub):
    """A row without any keys beside one with some"""
    out, lse = merged(sub, [[[np.nan], [1.0]], [[7.0], [2.0]]], [[-np.inf, 0.0], [-np.inf, 0.0]])
    expect_close(out, np.array([[0.0], [1.5]]), "no keys at all: 0, where -inf - -inf and 0 / 0 would give NaN", **OUT)
    expect_close(lse, np.array([-np.inf, 0.6931472]), "no keys at all: -inf", **LSE)


def check_arguments_unchanged(sub):
    """The partial results afterwards"""
    outs, lses = np.array([[[np.nan]], [[3.0]]], dtype=np.float32), np.array([[-np.inf], [0.5]], dtype=np.float32)
    before = outs.copy(), lses.copy()
    sub.merge(outs, lses)
    expect_close((outs, lses), before, "the arguments belong to the caller: make copies before writing into them", nan_equal=True)


def check_random(sub, rng):
    """Twenty-five contexts, split at random, against one pass"""
    draw = np.random.default_rng(rng.getrandbits(32))
    for _ in range(25):
        rows, keys, dim, splits = rng.randint(1, 6), rng.randint(1, 60), rng.randint(1, 8), rng.randint(1, 9)
        scores = draw.normal(0, rng.choice([1, 30]), (rows, keys)) + rng.choice([0, 500])
        values = draw.normal(0, 1, (keys, dim))
        borders = [0, *sorted(rng.randint(0, keys) for _ in range(splits - 1)), keys]
        parts = [attention(scores[:, a:b], values[a:b]) for a, b in zip(borders, borders[1:])]
        expected = attention(scores, values)
        out, lse = merged(sub, np.array([o for o, _ in parts]), np.array([l for _, l in parts]))
        expect_close(out, expected[0], "the merged output equals attention over all keys at once", **OUT)
        expect_close(lse, expected[1], "the merged lse equals that of all keys at once", **LSE)
