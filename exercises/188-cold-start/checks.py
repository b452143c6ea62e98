"""Hidden checks of exercise 188: cold start and standby.

560 s, 140 / 20 / 0.35 s and 2 standby instances are published values. The pipeline was checked by stepping through it chunk by chunk (`by_chunks`).
"""

from practice.kernel.expect import expect_close, expect_equal


def by_chunks(fetch, load, chunks):
    """End of the last chunk, chunk by chunk."""
    here = loaded = 0.0
    for _ in range(chunks):
        here += fetch / chunks
        loaded = max(here, loaded) + load / chunks
    return loaded


def check_example_local_disk(sub):
    """The worked example: from the local disk"""
    expect_close(sub.cold_start(140e9, None, 7, 30), 50.0, "140 GB at 7 GB/s, and 30 s")


def check_example_standby(sub):
    """The worked example: two instances stand by"""
    expect_equal(sub.standby(100, 10, 10, 0.2, 300, 300), 2, "120 requests/s need 12 instances, 10 run")


def check_bits_and_bytes(sub):
    """A network in bits, loading in bytes"""
    bits = "networks are sold in bits: 700 GB are 5,600 Gb"
    expect_close(sub.cold_start(700e9, 10, 1e12), 560.0, f"{bits}, 560 s at 10 Gb/s (loading takes no time here)", rel=1e-6)
    expect_close(sub.cold_start(140e9, 8, 1e12), 140.0, f"{bits}; 8 Gb/s are 1 GB/s (loading takes no time here)", rel=1e-6)
    expect_close(sub.cold_start(140e9, None, 400), 0.35, "400 GB/s from the memory of another instance: 0.35 s")
    expect_close(sub.cold_start(140e9, None, 1), 140.0, "1 GB/s from an object store")


def check_one_chunk(sub):
    """First fetch, then load"""
    expect_close(sub.cold_start(140e9, 100, 7, 30), 11.2 + 20 + 30, "in one piece nothing overlaps: 11.2 s to fetch, 20 s to load, 30 s fixed")


def check_overlap(sub):
    """Load one chunk while the next is fetched"""
    pipeline = "in a pipeline the slower stage works without a pause, and the other one sticks out by one chunk"
    expect_close(sub.cold_start(140e9, 100, 7, 30, 4), 30 + by_chunks(11.2, 20, 4), f"{pipeline}: 20 + 11.2 / 4")
    expect_close(sub.cold_start(140e9, 10, 7, 0, 10), by_chunks(112, 20, 10), f"{pipeline}: 112 + 20 / 10")
    expect_close(sub.cold_start(140e9, 56, 7, 0, 7), by_chunks(20, 20, 7), f"{pipeline}: two equal stages")
    expect_close(sub.cold_start(140e9, None, 7, 0, 7), 20.0, "nothing is fetched, so chunks do not matter")


def check_nothing_to_load(sub):
    """No weights at all"""
    expect_close(sub.cold_start(0, 10, 7, 12.5, 3), 12.5, "the fixed part is left")


def check_standby_rounds_up(sub):
    """Parts of an instance"""
    up = "a part of an instance is an instance"
    expect_equal(sub.standby(200, 16.8, 12, 0.3, 300, 120), 2, f"224 requests/s need 13.33 instances, so 14; {up}")
    expect_equal(sub.standby(101, 10, 10, 0, 300, 60), 1, up)


def check_straight_line(sub):
    """Growth over several periods"""
    expect_equal(sub.standby(100, 1, 100, 0.1, 60, 180), 30, "the load grows in a straight line, 10 each minute, not by compound interest")


def check_growth_during_cold_start(sub):
    """Growth only for as long as a cold start takes"""
    part = "the load grows only while the instance starts: growth x cold_seconds / period"
    expect_equal(sub.standby(1000, 10, 100, 0.5, 600, 60), 5, f"{part} = 5 %")
    expect_equal(sub.standby(1000, 10, 100, 0.5, 60, 600), 500, f"{part} = 5: the load grows sixfold")
    expect_equal(sub.standby(1000, 10, 100, 0.5, 600, 0), 0, "an instance that starts at once needs nobody standing by")


def check_enough_running(sub):
    """More instances than are needed"""
    expect_equal(sub.standby(100, 10, 20, 0.2, 300, 300), 0, "12 are needed and 20 run: none must stand by, and none is taken away")
    expect_equal(sub.standby(0, 10, 0, 0.2, 300, 300), 0, "no load")


def check_whole_quotients(sub):
    """Whole numbers up to float noise"""
    # 100 x 1.1 is 110.00000000000001 in floats.
    expect_equal(sub.standby(100, 10, 10, 0.1, 300, 300), 1, "110 requests/s are 11 instances, although floats say 11.000000000000002")
    expect_equal(sub.standby(150, 1.0, 0, 0.64, 60, 30), 198, "150 x 1.32 is 198")


def check_random(sub, ref, rng):
    """Two hundred random cases, compared with the reference"""
    for _ in range(200):
        arguments = (rng.uniform(0, 1e12), rng.choice([None, rng.uniform(1, 400)]), rng.uniform(0.5, 50), rng.uniform(0, 300), rng.randrange(1, 64))
        expect_close(sub.cold_start(*arguments), ref.cold_start(*arguments), "fixed part, slower stage, and one chunk of the other")
        arguments = (rng.uniform(0, 1000), rng.uniform(1, 50), rng.randrange(0, 40), rng.uniform(0, 1), rng.uniform(60, 600), rng.uniform(0, 900))
        expect_equal(sub.standby(*arguments), ref.standby(*arguments), "instances for the load of cold_seconds later, less those that run")
