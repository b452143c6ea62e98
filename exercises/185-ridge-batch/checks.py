"""Hidden checks of exercise 185: ridge batch.

295, 295 and 74 tokens are the published values for an H100. The exact ones were calculated in fractions, and again by trying m = 1, 2, 3, ...
"""

from practice.kernel.expect import expect_close, expect_equal, expect_raises

H100 = {"bandwidth": 3350 * 10**9, "peak_flops": {16: 989 * 10**12, 8: 1979 * 10**12}, "sparse": False}
H100_SHEET = {"bandwidth": 3350 * 10**9, "peak_flops": {8: 3958 * 10**12, 16: 1979 * 10**12}, "sparse": True}
A100 = {"bandwidth": 2039 * 10**9, "peak_flops": {16: 312 * 10**12}, "sparse": False}
B200 = {"bandwidth": 8000 * 10**9, "peak_flops": {4: 9000 * 10**12, 8: 4500 * 10**12, 16: 2250 * 10**12}, "sparse": False}


BORDERS = [
    (112, {"bandwidth": 3350 * 10**9, "peak_flops": {16: 336 * 10**12}, "sparse": False}, 1920),
    (8416, {"bandwidth": 3350 * 10**9, "peak_flops": {16: 526 * 10**12}, "sparse": False}, 320),
    (644000, {"bandwidth": 864 * 10**9, "peak_flops": {16: 966 * 10**12}, "sparse": False}, 2240),
]  # tokens, GPU, k = n: whole numbers exactly, for which floats give one more


def by_trying(gpu, weight_bits, activation_bits, k, n, limit):
    """The smallest m by trying them all, in whole numbers."""
    peak = gpu["peak_flops"][min(bits for bits in gpu["peak_flops"] if bits >= activation_bits)]
    for m in range(1, limit):
        bits_moved = m * k * activation_bits + k * n * weight_bits + m * n * 16
        if 2 * m * k * n * 8 * gpu["bandwidth"] >= bits_moved * peak:
            return m
    return None


def check_example_bf16(sub):
    """The worked example: 295.2 tokens in bf16"""
    expect_close(sub.ridge_batch(H100, 16, 16), 295.2238806, "2 m / 989e12 = 2 / 3350e9", rel=1e-6)


def check_example_huge_layer(sub):
    """The worked example: a huge layer"""
    expect_equal(sub.first_compute_bound(H100, 16, 16, 10**7, 10**7), 296, "the first whole number that is not below 295.24")


def check_weights_in_4_bits(sub):
    """W4A16: a quarter of the bytes, the same units"""
    expect_close(sub.ridge_batch(H100, 4, 16), 73.8059701, "a 4-bit weight is read in a quarter of the time, and computed in 16 bits: 74 tokens", rel=1e-6)


def check_fp8(sub):
    """W8A8: half the bytes, twice the units"""
    expect_close(sub.ridge_batch(H100, 8, 8), 295.3731343, "half the bytes and twice the FLOP/s: the batch stays at 295, although the ridge is 591 FLOP per byte", rel=1e-6)
    expect_close(sub.ridge_batch(H100, 8, 16), 147.6119403, "W8A16: an 8-bit weight is read in half the time, and computed in 16 bits", rel=1e-6)


def check_sparse_sheet(sub):
    """A data sheet that advertises sparsity"""
    dense = "with sparsity the sheet counts twice the FLOP that a dense product gets"
    expect_close(sub.ridge_batch(H100_SHEET, 16, 16), 295.3731343, dense, rel=1e-6)
    expect_equal(sub.first_compute_bound(H100_SHEET, 16, 16, 10**7, 10**7), 296, dense)


def check_missing_units(sub):
    """Widths the GPU has no units for"""
    expect_close(sub.ridge_batch(A100, 8, 8), 76.5080922, "an A100 has no FP8 units: the product runs in 16 bits", rel=1e-6)
    expect_close(sub.ridge_batch(B200, 4, 4), 281.25, "four-bit products on four-bit units")
    no_units = {"bandwidth": 10**12, "peak_flops": {8: 10**15}, "sparse": False}
    expect_raises(ValueError, lambda: sub.ridge_batch(no_units, 8, 16), "no units for 16 bits, and none wider", says="16")
    expect_raises(ValueError, lambda: sub.first_compute_bound(no_units, 8, 16, 100, 100), "no units for 16 bits, and none wider", says="16")


def check_activations_count(sub):
    """Activations and output are moved as well"""
    moved = "activations and output are moved as well, and grow with every token"
    expect_equal(sub.first_compute_bound(H100, 16, 16, 8192, 8192), 319, moved)
    expect_equal(sub.first_compute_bound(H100, 16, 16, 4096, 1024), by_trying(H100, 16, 16, 4096, 1024, 2000), moved)
    expect_equal(sub.first_compute_bound(H100, 4, 16, 8192, 8192), by_trying(H100, 4, 16, 8192, 8192, 2000), moved)
    expect_equal(sub.first_compute_bound(H100, 8, 8, 8192, 1024), by_trying(H100, 8, 8, 8192, 1024, 3000), "8-bit activations, but a 16-bit output")


def check_never(sub):
    """Projections that stay bound by memory"""
    expect_equal(sub.first_compute_bound(H100, 16, 16, 128, 128), None, "each token brings more traffic than work, so no batch is large enough")
    expect_equal(sub.first_compute_bound(H100, 16, 16, 10**6, 295), None, "a narrow output: each token brings more traffic than work")
    expect_equal(sub.first_compute_bound(H100, 16, 16, 10**6, 297), by_trying(H100, 16, 16, 10**6, 297, 60_000), "just wide enough")


def check_exact_border(sub):
    """Borders that floats cannot see"""
    # Ridge 256: m (2 k n - 256 x 2 (k + n)) >= 256 x 2 k n. With k = n = 1024 each m gains 1,048,576 and the goal is 536,870,912: m = 512.
    even = {"bandwidth": 10**12, "peak_flops": {16: 256 * 10**12}, "sparse": False}
    expect_equal(sub.first_compute_bound(even, 16, 16, 1024, 1024), 512, "equal times count as bound by computing")
    expect_equal(sub.first_compute_bound(even, 16, 16, 512, 512), None, "work and traffic of a token are equal, so the weights are never paid for")
    # Ridge 300 at k = n = 2400 is 400 exactly, by fractions.
    third = {"bandwidth": 3 * 10**12, "peak_flops": {16: 900 * 10**12}, "sparse": False}
    expect_equal(sub.first_compute_bound(third, 16, 16, 2400, 2400), 400, "400 exactly; 400.00000000000006 is a float's error")
    # Ridge 0.3: a token of a 1 x 1 product gains 2 - 0.3 x 4 = 0.8 and the goal is 0.6.
    slow = {"bandwidth": 10**13, "peak_flops": {16: 3 * 10**12}, "sparse": False}
    expect_equal(sub.first_compute_bound(slow, 16, 16, 1, 1), 1, "a small gain is a gain")
    for tokens, gpu, k in BORDERS:
        expect_equal(sub.first_compute_bound(gpu, 16, 16, k, k), tokens, "a whole number exactly; use fractions where a float would decide")


def check_random(sub, ref, rng):
    """A hundred random projections, compared with the reference"""
    for _ in range(100):
        gpu = {"bandwidth": rng.randrange(1, 9) * 10**12, "peak_flops": {16: rng.randrange(20, 100) * 10**12, 8: 200 * 10**12}, "sparse": rng.random() < 0.5}
        activation_bits = rng.choice([8, 16])
        weight_bits = rng.choice([4, activation_bits])
        expect_close(sub.ridge_batch(gpu, weight_bits, activation_bits), ref.ridge_batch(gpu, weight_bits, activation_bits), "peak x bytes per weight / (2 x bandwidth)")
        arguments = (gpu, weight_bits, activation_bits, rng.randrange(20, 3000), rng.randrange(20, 3000))
        expect_equal(sub.first_compute_bound(*arguments), ref.first_compute_bound(*arguments), "the first m at which computing takes at least as long as moving")
