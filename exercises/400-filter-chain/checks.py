"""Hidden checks of exercise 400: temperature, top-k, top-p, min-p."""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal

TOLERANCE = dict(rel=1e-5, abs=1e-7)
FOUR = [0.5, 0.3, 0.15, 0.05]


def filtered(sub, probs, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0):
    """The filtered probabilities of one row, given by its probabilities."""
    answer = sub.filter_probs(np.log(np.array([probs])), np.array([temperature]), np.array([top_k]), np.array([top_p]), np.array([min_p]))
    expect_equal(np.shape(answer), (1, len(probs)), "as many probabilities as logits")
    return np.asarray(answer, dtype=np.float64)[0]


def expect_row(got, expected, idea):
    expect_close(got, np.array(expected, dtype=np.float64), idea, **TOLERANCE)


def check_example_all_off(sub):
    """Every filter switched off"""
    expect_row(filtered(sub, FOUR), FOUR, "plain softmax: temperature 1, no top-k, top-p 1, no min-p")


def check_top_p_keeps_the_crossing_token(sub):
    """A nucleus of two, and one of one"""
    expect_row(filtered(sub, FOUR, top_p=0.75), [0.625, 0.375, 0, 0], "the token at which the sum reaches p is kept (0.5 + 0.3 reaches 0.75), and what is left adds up to 1")
    expect_row(filtered(sub, FOUR, top_p=0.4), [1, 0, 0, 0], "the first token alone reaches p, and it is kept")
    expect_row(filtered(sub, FOUR, top_p=1e-9), [1, 0, 0, 0], "at a tiny p the first token reaches p at once and is kept; the set is never empty")
    expect_row(filtered(sub, [0.3, 0.05, 0.5, 0.15], top_p=0.75), [0.375, 0, 0.625, 0], "from the most to the least likely, wherever they stand, until the sum reaches p")


def check_temperature(sub):
    """Hot and cold"""
    expect_row(filtered(sub, FOUR, temperature=0.5), np.square(FOUR) / np.square(FOUR).sum(), "temperature 0.5 squares the odds: divide the logits by it")
    expect_row(filtered(sub, FOUR, temperature=2.0), np.sqrt(FOUR) / np.sqrt(FOUR).sum(), "temperature 2 takes the root of the odds: divide the logits, not multiply")


def check_order(sub):
    """Temperature and top-p together"""
    # At temperature 0.5: 0.6849, 0.2466, 0.0616, 0.0068; the first two reach 0.9.
    expect_row(filtered(sub, FOUR, temperature=0.5, top_p=0.9), [0.25 / 0.34, 0.09 / 0.34, 0, 0], "temperature first: it decides which tokens reach p")
    # At temperature 2: 0.379, 0.294, 0.208, 0.120; it takes three to reach 0.75.
    hot = np.sqrt([0.5, 0.3, 0.15])
    expect_row(filtered(sub, FOUR, temperature=2.0, top_p=0.75), [*(hot / hot.sum()), 0], "temperature first: at 2 it takes three tokens to reach 0.75")


def check_top_p_after_top_k(sub):
    """Top-k and top-p together"""
    expect_row(filtered(sub, FOUR, top_k=2, top_p=0.6), [1, 0, 0, 0], "top-p sees what is left by top-k, normalised: 0.625 reaches 0.6")
    expect_row(filtered(sub, FOUR, top_k=3, top_p=0.9), np.array([0.5, 0.3, 0.15, 0]) / 0.95, "top-p sees what is left by top-k, normalised: 0.842 does not reach 0.9 and 1.0 does")


def check_top_k_ties(sub):
    """Equal logits at the border of top-k"""
    expect_row(filtered(sub, [0.2] * 5, top_k=2), [0.5, 0.5, 0, 0, 0], "exactly k tokens are kept, among equals the lower numbers")
    expect_row(filtered(sub, [0.2, 0.4, 0.2, 0.2], top_k=2), [1 / 3, 2 / 3, 0, 0], "exactly k tokens are kept, among equals the lower numbers")
    expect_row(filtered(sub, FOUR, top_k=9), FOUR, "a k beyond the vocabulary switches it off")
    expect_row(filtered(sub, [0.2] * 5, top_p=0.5), [1 / 3, 1 / 3, 1 / 3, 0, 0], "top-p takes equals by number, too")


def check_min_p(sub):
    """A floor below the most likely token"""
    expect_row(filtered(sub, FOUR, min_p=0.2), np.array([0.5, 0.3, 0.15, 0]) / 0.95, "the floor is 0.2 times the most likely token's 0.5, so 0.1")
    expect_row(filtered(sub, FOUR, min_p=0.5), [0.625, 0.375, 0, 0], "the floor is half of the most likely token's probability, 0.25")
    expect_row(filtered(sub, FOUR, min_p=1.0), [1, 0, 0, 0], "only tokens as likely as the most likely one are left")
    expect_row(filtered(sub, FOUR, top_k=2, min_p=0.55), [0.625, 0.375, 0, 0], "the floor moves with the most likely token: 0.55 * 0.625 is below 0.375")


def check_greedy(sub):
    """Temperature 0"""
    expect_row(filtered(sub, [0.2, 0.4, 0.4], temperature=0.0), [0, 1, 0], "temperature 0 is greedy: the most likely token, of equals the lower number")
    expect_row(filtered(sub, FOUR, temperature=0.0, top_k=3, top_p=0.1, min_p=0.9), [1, 0, 0, 0], "greedy: the other settings do not matter")


def check_each_row_its_own(sub):
    """A batch of different users"""
    logits = np.log(np.array([FOUR] * 4))
    got = sub.filter_probs(logits, np.array([1.0, 0.0, 1.0, 0.5]), np.array([0, 0, 1, 0]), np.array([0.75, 1.0, 1.0, 1.0]), np.array([0.0, 0.0, 0.0, 0.0]))
    cold = np.square(FOUR) / np.square(FOUR).sum()
    expect_close(np.asarray(got, dtype=float), np.array([[0.625, 0.375, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], cold]), "each row has settings of its own", **TOLERANCE)


def check_large_logits(sub):
    """Logits far from zero"""
    got = sub.filter_probs(np.array([[9000.0, 8999.0, -9000.0]]), np.array([0.7]), np.array([0]), np.array([1.0]), np.array([0.0]))
    odds = np.exp(-1 / 0.7)
    expect_row(np.asarray(got, dtype=float)[0], [1 / (1 + odds), odds / (1 + odds), 0], "subtract the largest logit before exp: e^12857 is no number")


def check_arguments_unchanged(sub):
    """Logits and settings afterwards"""
    arrays = [np.log(np.array([FOUR])), np.array([0.5]), np.array([2]), np.array([0.9]), np.array([0.1])]
    before = [a.copy() for a in arrays]
    sub.filter_probs(*arrays)
    expect_close(arrays, before, "logits and settings belong to the caller and are not changed")


def check_random(sub, ref, rng):
    """Twelve random batches against the reference"""
    draw = np.random.default_rng(rng.getrandbits(32))
    for _ in range(12):
        rows, vocab = rng.randint(1, 64), rng.choice([2, 7, 100, 2000])
        logits = draw.normal(0, 2, (rows, vocab))
        settings = (
            draw.choice([0.0, 0.3, 1.0, 1.7], rows), draw.choice([0, 1, 3, 50], rows),
            draw.choice([0.1, 0.5, 0.9, 1.0], rows), draw.choice([0.0, 0.05, 0.3], rows),
        )
        expect_close(np.asarray(sub.filter_probs(logits, *settings), dtype=float), ref.filter_probs(logits, *settings), "temperature, top-k, top-p, min-p, in this order", **TOLERANCE)


def check_size(sub, rng):
    """A batch of 64 rows and 5,000 tokens"""
    draw = np.random.default_rng(rng.getrandbits(32))
    logits = draw.normal(0, 3, (64, 5000))
    got = sub.filter_probs(logits, np.full(64, 0.8), np.full(64, 50), np.full(64, 0.95), np.full(64, 0.02))
    expect_close(np.asarray(got, dtype=float).sum(axis=1), np.ones(64), "every row adds up to 1", rel=1e-5)
