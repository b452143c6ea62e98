"""TODO Hidden checks, easiest first."""

from practice.kernel.expect import expect_equal


def check_example_exact_fit(sub):
    """The worked example of the prompt"""
    expect_equal(sub.blocks_needed(32, 16), 2, "32 tokens fill two blocks exactly")


def check_partial_last_block(sub):
    """A last, partly filled block"""
    expect_equal(sub.blocks_needed(33, 16), 3, "the last, partly filled block counts too")


def check_no_tokens(sub):
    """A request without tokens"""
    expect_equal(sub.blocks_needed(0, 16), 0, "no tokens need no block")


def check_random(sub, ref, rng):
    """Random sizes, compared with the reference"""
    for _ in range(50):
        tokens, size = rng.randrange(0, 10_000), rng.randrange(1, 129)
        expect_equal(sub.blocks_needed(tokens, size), ref.blocks_needed(tokens, size), "ceil(tokens / block size)")
