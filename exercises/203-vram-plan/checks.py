"""Hidden checks of exercise 203: VRAM plan.

13, 33 and 66 sequences are published for this card; the others were worked out by hand in whole blocks.
"""

from practice.kernel.expect import expect_equal

BF16 = 14.2  # GiB of weights
AWQ = 5.5


def check_example_long_contexts(sub):
    """The worked example: three contexts of 32,768 tokens"""
    expect_equal(sub.max_sequences(24, 0.90, 1.6, BF16, 32_768, 57_344), 3, "5.8 GiB for contexts of 1.75 GiB")


def check_example_weights(sub):
    """The worked example: a thousand weights in 16 bits"""
    expect_equal(sub.weight_bytes(1000, 16), 2000, "two bytes each")


def check_order_of_reserves(sub):
    """What the utilization is a share of"""
    order = "overhead and weights come out of the engine's share, so it is"
    expect_equal(sub.max_sequences(24, 0.5, 2, 5.6, 1024, 2**20), 4, f"{order} 24 x 0.5 - 2 - 5.6 = 4.4 GiB")
    expect_equal(sub.max_sequences(80, 0.5, 20, 9.1, 1024, 2**20), 10, f"{order} 80 x 0.5 - 20 - 9.1 = 10.9 GiB")


def check_gib(sub):
    """The published card: 13, 33 and 66 sequences"""
    gib = "the card has 24 GiB, and a GiB is 2**30 bytes"
    expect_equal(sub.max_sequences(24, 0.90, 1.6, BF16, 8192, 57_344), 13, gib)
    expect_equal(sub.max_sequences(24, 0.90, 1.6, AWQ, 8192, 57_344), 33, gib)
    expect_equal(sub.max_sequences(24, 0.90, 1.6, AWQ, 8192, 28_672), 66, gib)


def check_partial_block(sub):
    """Contexts that do not fill their last block"""
    # 1 GiB of KV and 1 MiB per token: 64 blocks of 16 tokens.
    last = "the last, partly filled block counts too: 17 tokens take two blocks of 16"
    expect_equal(sub.max_sequences(2, 1.0, 0, 1, 17, 2**20), 32, last)
    expect_equal(sub.max_sequences(2, 1.0, 0, 1, 16, 2**20), 64, "16 tokens fill one block exactly")
    expect_equal(sub.max_sequences(2, 1.0, 0, 1, 1, 2**20), 64, last)
    expect_equal(sub.max_sequences(2, 1.0, 0, 1, 100, 2**20, 64), 8, "16 blocks of 64 tokens, two for each sequence")


def check_whole_blocks(sub):
    """Memory that is not a whole number of blocks"""
    # 1 GiB of KV, blocks of 300 MiB: 3 whole ones.
    whole = "only whole blocks are handed out: 1 GiB holds 3 blocks of 300 MiB"
    expect_equal(sub.max_sequences(2, 1.0, 0, 1, 1, 300 * 2**20, 1), 3, whole)
    expect_equal(sub.max_sequences(2, 1.0, 0, 1, 2, 300 * 2**20, 1), 1, "3 blocks hold one sequence of 2, and one block is left")
    expect_equal(sub.max_sequences(3, 1.0, 0, 1, 100, 300 * 2**20 // 100, 100), 6, "2 GiB hold 6 blocks of about 300 MiB")


def check_scales(sub):
    """Quantised weights"""
    scales = "each group of 128 four-bit weights carries 16 bits more: 4.125 bits a weight"
    expect_equal(sub.weight_bytes(1280, 4, 128), 660, scales)
    expect_equal(sub.weight_bytes(7_600_000_000, 4, 128), 3_918_750_000, scales)
    expect_equal(sub.weight_bytes(7_600_000_000, 4, 128, 20), 3_948_437_500, "scale_bits may hold a zero point too: 4.15625 bits a weight")
    expect_equal(sub.weight_bytes(1280, 4), 640, "without groups there are no scales")
    expect_equal(sub.weight_bytes(7_600_000_000, 8), 7_600_000_000, "one byte each")


def check_last_group(sub):
    """Weights that do not fill their last group"""
    expect_equal(sub.weight_bytes(129, 4, 128), 69, "the last, partly filled group has a scale too: (129 x 4 + 2 x 16) / 8 = 68.5, rounded up")
    expect_equal(sub.weight_bytes(1, 4), 1, "half a byte is a byte")
    expect_equal(sub.weight_bytes(3, 4, 1, 4), 3, "the bits of everything are rounded up together, once: 24 bits")
    expect_equal(sub.weight_bytes(0, 4, 128), 0, "no weights, no groups")


def check_exact_weights(sub):
    """Numbers of weights beyond a float"""
    expect_equal(sub.weight_bytes(2**60 + 1, 8), 2**60 + 1, "whole numbers stay exact without a float in between")
    expect_equal(sub.weight_bytes(2**60 + 1, 16, 2**60), 2**61 + 2 + 4, "whole numbers stay exact without a float in between")


def check_nothing_fits(sub):
    """Cards that are too small"""
    expect_equal(sub.max_sequences(24, 0.90, 1.6, 24, 8192, 57_344), 0, "weights larger than the card leave no room, and no negative number of users")
    expect_equal(sub.max_sequences(24, 0.90, 1.6, BF16, 131_072, 57_344), 0, "one context of 7 GiB does not fit into 5.8 GiB")
    expect_equal(sub.max_sequences(2, 1.0, 0, 2, 16, 2**20), 0, "exactly full with weights")


def check_exactly_full(sub):
    """Whole numbers of blocks up to float noise"""
    # 16 x 0.70 - 3.2 - 4 = 4.0 GiB are exactly 2048 blocks of 16 tokens.
    expect_equal(sub.max_sequences(16, 0.70, 3.2, 4, 16, 131_072), 2048, "the division comes out even, although floats say a hair less")


def check_random(sub, ref, rng):
    """Two hundred random cards, compared with the reference"""
    for _ in range(200):
        arguments = (rng.choice([16, 24, 48, 80]), rng.uniform(0.5, 1), rng.uniform(0, 4), rng.uniform(1, 60), rng.randrange(1, 20_000),
                     rng.randrange(1000, 500_000), rng.choice([1, 16, 32, 64]))  # fmt: skip
        expect_equal(sub.max_sequences(*arguments), ref.max_sequences(*arguments), "whole blocks, and whole blocks per sequence")
        arguments = (rng.randrange(10**10), rng.choice([2, 3, 4, 8, 16]), rng.choice([None, 32, 128]), rng.choice([8, 16, 20]))
        expect_equal(sub.weight_bytes(*arguments), ref.weight_bytes(*arguments), "weights and scales in bits, rounded up to bytes once")
