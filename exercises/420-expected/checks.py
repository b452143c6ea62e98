"""Hidden checks of exercise 420: what speculative decoding gains."""

from practice.kernel.expect import expect_close, expect_equal, expect_raises


def check_example_no_drafts(sub):
    """One token per round: no drafts"""
    expect_close(sub.expected_tokens(0.5, 0), 1.0, "without drafts a round is one plain step")
    expect_close(sub.speedup(0.5, 0, 0.1), 1.0, "without drafts nothing is gained and nothing is paid")


def check_bonus_token(sub):
    """Tokens per round"""
    expect_close(sub.expected_tokens(0.5, 2), 1.75, "1 + 0.5 + 0.25: the large model's own token, correction or bonus, is always there")
    expect_close(sub.expected_tokens(0.8, 4), 3.3616, "1 + 0.8 + 0.64 + 0.512 + 0.4096, with the bonus token; 2.36 without it")
    expect_close(sub.expected_tokens(0.7, 0), 1.0, "no drafts: the large model's own token and nothing else")


def check_draft_cost(sub):
    """A round of several drafts"""
    expect_close(sub.speedup(0.8, 4, 0.05), 3.3616 / 1.2, "the small model runs for each of the k drafts, one after the other: 1 + 4 * 0.05")
    expect_close(sub.speedup(0.3, 2, 0.5), 1.39 / 2.0, "drafting can lose: 1.39 tokens in the time of 2 steps")


def check_always_accepted(sub):
    """Acceptances of 1 and 0"""
    expect_close(sub.expected_tokens(1.0, 7), 8.0, "if every draft is accepted a round yields k + 1 tokens")
    expect_close(sub.expected_tokens(0.0, 7), 1.0, "if none is accepted only the correction is left")
    expect_close(sub.speedup(1.0, 3, 0.25), 4 / 1.75, "if every draft is accepted: k + 1 tokens in 1 + 3 * 0.25")


def check_unbounded(sub):
    """Cheap drafts that are often right"""
    expect_equal(sub.best_k(0.5, 0.1), 2, "1.0, 1.3636, 1.4583, 1.4423: the third draft costs more than it brings")
    expect_equal(sub.best_k(0.6, 0.05), 4, "1.92x at 4")
    expect_equal(sub.best_k(0.8, 0.05), 8, "3.09x at 8")
    expect_equal(sub.best_k(0.9, 0.05), 13, "the search does not end at 8: 4.376x at 8, but 4.674x at 13")
    expect_close(sub.speedup(0.9, 13, 0.05), 10 * (1 - 0.9**14) / 1.65, "4.674x: 7.71 tokens in the time of 1.65 steps")
    expect_equal(sub.best_k(0.99, 0.001), 259, "with a nearly free draft the best length is in the hundreds")


def check_not_worth_it(sub):
    """Drafts that cost more than they bring"""
    expect_equal(sub.best_k(0.3, 0.5), 0, "every length loses, so the best is not to speculate")
    expect_equal(sub.best_k(0.0, 0.2), 0, "nothing is ever accepted: the best is not to speculate")
    expect_equal(sub.best_k(0.5, 0.5), 0, "1.5 / 1.5 is a tie with 1: the smallest of equals is not to speculate")
    expect_equal(sub.best_k(1.0, 1.0), 0, "always accepted, and drafting is as slow as decoding: all lengths are equal")
    expect_equal(sub.best_k(0.0, 0.0), 0, "free drafts that are never accepted change nothing")


def check_no_best(sub):
    """Longer is always better"""
    expect_raises(ValueError, lambda: sub.best_k(0.7, 0.0), "free drafts: every further one brings a little, there is no best length")
    expect_raises(ValueError, lambda: sub.best_k(1.0, 0.3), "always accepted and cheaper than decoding: there is no best length")


def check_random(sub, ref, rng):
    """A hundred random values against the reference"""
    for _ in range(100):
        acceptance, cost, k = rng.uniform(0, 0.98), rng.uniform(0.005, 0.6), rng.randint(0, 60)
        expect_close(sub.expected_tokens(acceptance, k), ref.expected_tokens(acceptance, k), "a geometric sum from a^0 to a^k")
        expect_close(sub.speedup(acceptance, k, cost), ref.speedup(acceptance, k, cost), "tokens per round over time per round")
        best = ref.best_k(acceptance, cost)
        expect_close(ref.speedup(acceptance, sub.best_k(acceptance, cost), cost), ref.speedup(acceptance, best, cost), f"no length does better than {best}")
