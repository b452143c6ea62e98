"""Hidden checks of exercise 186: arithmetic intensity.

1.0, 224.0 and 162.9 are published for these shapes; the others were calculated by hand in fractions.
"""

from practice.kernel.expect import expect_close, expect_equal

ALL_THREE = "activations, weights and output are moved, each once"


def check_example_decode(sub):
    """The worked example: one token, to 1 %"""
    expect_close(sub.intensity(1, 3584, 3584), 0.99944, "25,690,112 FLOP over 25,704,448 bytes", rel=0.01)


def check_example_regime(sub):
    """The worked example: bound by memory"""
    expect_equal(sub.regime(1, 3584, 3584, 165e12, 1.008e12), "memory", "1 FLOP per byte is far below 163.7")


def check_square(sub):
    """256 tokens through a square projection"""
    expect_close(sub.intensity(256, 3584, 3584), 224.0, "2 m / 2 bytes = 256 is only the limit for large k and n: activations and output are moved too")


def check_narrow_output(sub):
    """256 tokens to a narrow output, as for the K heads of Qwen2.5-7B"""
    expect_close(sub.intensity(256, 3584, 512), 162 + 10 / 11, "the activations (256 x 3584) are half as many bytes as the weights: 162.9")


def check_wide_output(sub):
    """256 tokens to a wide output"""
    expect_close(sub.intensity(256, 512, 3584), 162 + 10 / 11, "the output (256 x 3584) is written, and that is traffic too: 162.9")
    expect_close(sub.intensity(1, 1, 1), 1 / 3, ALL_THREE)


def check_widths(sub):
    """Three different widths"""
    expect_close(sub.intensity(64, 1024, 1024, 16, 4, 16), 2 * 64 * 1024 / (4 * 64 + 512), "4-bit weights are half a byte: each matrix has its own width")
    expect_close(sub.intensity(64, 1024, 1024, 8, 8, 16), 2 * 64 * 1024 / (64 + 1024 + 128), "each matrix has its own width, the output too")
    expect_close(sub.intensity(64, 512, 2048, 8, 16, 32), 2 * 64 * 512 * 2048 / (64 * 512 + 2 * 512 * 2048 + 4 * 64 * 2048), "each matrix has its own width")


def check_regime(sub):
    """Compute or memory"""
    expect_equal(sub.regime(256, 3584, 3584, 165e12, 1.008e12), "compute", "224 FLOP per byte is above the ridge of 163.7")
    expect_equal(sub.regime(256, 3584, 512, 165e12, 1.008e12), "memory", "162.9 FLOP per byte is just below the ridge of 163.7")
    expect_equal(sub.regime(256, 3584, 3584, 989e12, 3.35e12), "memory", "on an H100 the ridge is 295")
    expect_equal(sub.regime(100, 8192, 8192, 989e12, 3.35e12, weight_bits=4), "compute", "4-bit weights reach the ridge with fewer tokens: 364 FLOP per byte")
    expect_equal(sub.regime(100, 8192, 8192, 989e12, 3.35e12), "memory", "98 FLOP per byte in 16 bits")


def check_at_the_ridge(sub):
    """Exactly at the ridge"""
    expect_equal(sub.regime(256, 3584, 3584, 224e12, 1e12), "compute", "exactly at the ridge computing takes as long as moving, which counts as compute")
    expect_equal(sub.regime(256, 3584, 3584, 224.1e12, 1e12), "memory", "224 FLOP per byte is just below the ridge of 224.1")


def check_random(sub, ref, rng):
    """Two hundred random shapes, compared with the reference"""
    for _ in range(200):
        shape = [2 ** rng.randrange(0, 10) * rng.randrange(1, 8) for _ in range(3)]
        widths = [rng.choice([4, 8, 16, 32]) for _ in range(3)]
        expect_close(sub.intensity(*shape, *widths), ref.intensity(*shape, *widths), ALL_THREE)
        machine = (rng.uniform(1e12, 1e15), 1e12)
        expect_equal(sub.regime(*shape, *machine, *widths), ref.regime(*shape, *machine, *widths), "compare the intensity with peak / bandwidth")
