"""Hidden checks of exercise 181: decode floor.

6.864 ms is the published value for a 70B model; the others are hand calculations of (weights + KV) / bandwidth.
"""

from practice.kernel.expect import expect_close, expect_equal, expect_raises


def check_example_weights_only(sub):
    """The worked example: weights alone"""
    expect_close(sub.decode_floor("15.2 GB", 57344, [0], "3350 GB/s"), 15.2 / 3350, "15.2 GB at 3350 GB/s")


def check_example_read_bytes(sub):
    """A size as text"""
    expect_close(sub.read_bytes("141 GB"), 141e9, "a GB is 1e9 bytes")


def check_kv_is_read(sub):
    """The KV cache is read as well"""
    got = sub.decode_floor("15.2 GB", 57344, [100_000], "3350 GB/s")
    expect_close(got, (15.2e9 + 5.7344e9) / 3350e9, "attention reads the keys and values of the whole context in every step: 5.73 GB more")


def check_weights_once(sub):
    """A batch reads the weights once"""
    got = sub.decode_floor("15.2 GB", 57344, [1000] * 64, "3350 GB/s")
    expect_close(got, (15.2e9 + 64 * 57_344_000) / 3350e9, "the weights are read once for the whole batch, the KV once per sequence")


def check_uneven_contexts(sub):
    """Sequences of very different length"""
    got = sub.decode_floor("15.2 GB", 57344, [100_000, 10, 0], "3350 GB/s")
    expect_close(got, (15.2e9 + 100_010 * 57344) / 3350e9, "each sequence reads its own context; nobody is padded to the longest")


def check_tensor_parallel(sub):
    """The published case: 70B over eight GPUs"""
    got = sub.decode_floor("141 GB", 327680, [0], "3350 GB/s", 8)
    expect_close(got, 141 / 26_800, "eight GPUs read an eighth each, at the same time")
    got = sub.decode_floor("141 GB", 327680, [4096] * 32, "3350 GB/s", 8)
    expect_close(got, (141e9 + 42_949_672_960) / 26.8e12, "eight GPUs read weights and KV together, an eighth each: 6.864 ms")


def check_binary_units(sub):
    """GiB and TiB are powers of two"""
    expect_close(sub.read_bytes("131.3 GiB"), 131.3 * 2**30, "a GiB is 2**30 bytes, 7.4 % more than a GB")
    expect_close(sub.read_bytes("1.5 TiB"), 1.5 * 2**40, "a TiB is 2**40 bytes")
    got = sub.decode_floor("14.2 GiB", 57344, [8192], "1008 GB/s")
    expect_close(got, (14.2 * 2**30 + 8192 * 57344) / 1008e9, "weights in GiB over a bandwidth in GB/s")


def check_rates(sub):
    """Bandwidths as text"""
    expect_close(sub.read_bytes("3.35 TB/s"), 3.35e12, "a TB is 1e12 bytes")
    expect_close(sub.read_bytes("0.5 TiB/s"), 2**39, "a TiB is 2**40 bytes")
    expect_close(sub.read_bytes("4.8e3 GB/s"), 4.8e12, "a number as float() reads it")
    expect_close(sub.decode_floor("140 GB", 1, [0], "1.75 TB/s", 4), 0.02, "four GPUs of 1.75 TB/s")


def check_other_units(sub):
    """Units that are none"""
    expect_raises(ValueError, lambda: sub.read_bytes("10 Gb/s"), "a small b is a bit; refuse rather than be wrong by a factor of 8", says="Gb")
    expect_raises(ValueError, lambda: sub.read_bytes("7 gb"), "units are case-sensitive", says="gb")
    expect_raises(ValueError, lambda: sub.decode_floor("141 tons", 1, [1], "1 GB/s"), "an unknown unit", says="tons")


def check_no_sequences(sub):
    """An empty batch"""
    expect_equal(sub.decode_floor("141 GB", 327680, [], "3350 GB/s", 8), 0, "without sequences there is no step, and nothing is read")


def check_contexts_unchanged(sub):
    """The list of contexts stays as it was"""
    contexts = [5, 3, 4]
    sub.decode_floor("1 GB", 1000, contexts, "1 GB/s")
    expect_equal(contexts, [5, 3, 4], "the list belongs to the caller")


def check_random(sub, ref, rng):
    """A hundred random steps, compared with the reference"""
    for _ in range(100):
        contexts = [rng.randrange(0, 50_000) for _ in range(rng.randrange(0, 20))]
        weights = f"{rng.uniform(1, 500):.3f} {rng.choice(['GB', 'GiB'])}"
        arguments = (weights, rng.randrange(1, 500_000), contexts, f"{rng.uniform(0.5, 8):.3f} {rng.choice(['TB/s', 'TiB/s'])}", rng.randrange(1, 17))
        expect_close(sub.decode_floor(*arguments), ref.decode_floor(*arguments), "(weights + KV of all sequences) / bandwidth of all GPUs")
