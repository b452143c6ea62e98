"""Hidden checks of exercise 187: experts touched by a batch.

Expected values by the closed form in fractions, and for small cases again by listing every choice of every token (`by_listing`).
"""

from fractions import Fraction
from itertools import combinations, product

from practice.kernel.expect import expect_close, expect_equal

ALONE = "an expert is left alone only if all tokens leave it alone, each with probability 1 - top_k / experts"


def by_listing(tokens, experts, top_k):
    """The expectation, by going through all equally likely choices."""
    choices = list(product(combinations(range(experts), top_k), repeat=tokens))
    return Fraction(sum(len(set().union(*choice)) for choice in choices), len(choices))


def closed_form(tokens, experts, top_k):
    """The expectation in fractions."""
    return float(experts * (1 - (1 - Fraction(top_k, experts)) ** tokens))


def check_example_dense(sub):
    """One expert: a dense layer"""
    expect_close(sub.expected_experts(5, 1, 1), 1.0, "everybody uses the only expert")


def check_example_dense_skewed(sub):
    """One expert, by its share"""
    expect_close(sub.expected_experts_skewed(5, [1.0]), 1.0, "everybody uses the only expert")


def check_example_dense_bytes(sub):
    """One expert, in bytes"""
    expect_close(sub.layer_bytes(5, 1, 1, 1000), 1000.0, "one expert of 1000 bytes")


def check_one_token(sub):
    """A single token"""
    expect_close(sub.expected_experts(1, 256, 8), 8.0, "one token touches exactly its top_k experts")


def check_many_tokens(sub):
    """A batch so large that nobody is left out"""
    expect_close(sub.expected_experts(20_000, 256, 8), 256.0, "a large batch touches every expert, not only the active share of one token")


def check_overlap(sub):
    """Tokens that pick the same experts"""
    expect_close(sub.expected_experts(2, 8, 2), 3.5, f"two tokens may pick the same expert: 8 x (1 - 0.75 ** 2); {ALONE}")
    expect_close(sub.expected_experts(32, 256, 8), closed_form(32, 256, 8), f"163.31 for 256 picks, since many picks meet; {ALONE}")
    expect_close(sub.expected_experts(128, 256, 8), closed_form(128, 256, 8), ALONE)


def check_without_replacement(sub):
    """A token's picks are different"""
    different = "the top_k picks of one token are different experts: 1 - top_k / experts for all of them together, not (1 - 1 / experts) ** top_k"
    expect_close(sub.expected_experts(1, 4, 3), 3.0, different)
    expect_close(sub.expected_experts(2, 4, 2), float(by_listing(2, 4, 2)), different)
    expect_close(sub.expected_experts(3, 4, 2), float(by_listing(3, 4, 2)), different)
    expect_close(sub.expected_experts(4, 6, 6), 6.0, "every token picks all of them")


def check_no_tokens(sub):
    """A step without tokens"""
    nobody = "nobody picks anything"
    expect_close(sub.expected_experts(0, 256, 8), 0.0, nobody)
    expect_close(sub.expected_experts_skewed(0, [1.0, 0.5, 0.5]), 0.0, nobody)
    expect_close(sub.layer_bytes(0, 256, 8, 44_040_192, 1), 0.0, "without tokens there is no step, and no shared expert is read either")


def check_skewed(sub):
    """Popular and unpopular experts"""
    own = "each expert has its own probability of being left alone; the mean share hides that the unpopular ones are"
    expect_close(sub.expected_experts_skewed(2, [1.0, 0.5, 0.25, 0.25]), 1 + 0.75 + 0.4375 + 0.4375, own)
    expect_close(sub.expected_experts_skewed(10, [0.9, 0.1, 0.0]), (1 - 0.1**10) + (1 - 0.9**10), own)
    expect_close(sub.expected_experts_skewed(1, [0.3, 0.2, 0.5, 1.0]), 2.0, "one token touches as many as the shares add up to")
    expect_close(sub.expected_experts_skewed(32, [8 / 256] * 256), closed_form(32, 256, 8), "equal shares are the other function")


def check_bytes(sub):
    """Bytes of a layer of DeepSeek-V3 in FP8"""
    # Three matrices of 7168 x 2048 in one byte each: 44,040,192.
    expected = closed_form(32, 256, 8) * 44_040_192
    expect_close(sub.layer_bytes(32, 256, 8, 44_040_192), expected, "touched experts times the bytes of one")
    shared = "a shared expert is read once per step, by whatever number of tokens, and not instead of a routed one"
    expect_close(sub.layer_bytes(32, 256, 8, 44_040_192, 1), expected + 44_040_192, shared)
    expect_close(sub.layer_bytes(1, 256, 8, 44_040_192, 2), 10 * 44_040_192, shared)


def check_shares_unchanged(sub):
    """The list of shares stays as it was"""
    shares = [0.2, 1.0, 0.8]
    sub.expected_experts_skewed(3, shares)
    expect_equal(shares, [0.2, 1.0, 0.8], "the list belongs to the caller")


def check_random(sub, rng):
    """A hundred random layers, compared with the closed form in fractions"""
    for _ in range(100):
        experts = rng.randrange(1, 300)
        top_k, tokens = rng.randrange(1, min(experts, 12) + 1), rng.randrange(0, 300)
        expect_close(sub.expected_experts(tokens, experts, top_k), closed_form(tokens, experts, top_k), ALONE)
        shares = [rng.random() for _ in range(rng.randrange(1, 20))]
        expected = sum(1 - (1 - share) ** tokens for share in shares)
        expect_close(sub.expected_experts_skewed(tokens, shares), expected, "each expert has its own probability of being left alone")
