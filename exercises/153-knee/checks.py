"""Hidden checks of exercise 153: the knee of a measured curve."""

import math
from fractions import Fraction

from practice.kernel.expect import expect_close, expect_equal, expect_raises

CURVE = [(1, 0.15, 0.016), (2, 0.2, 0.020), (4, 0.3, 0.026), (6, 1.3, 0.040), (8, 9.0, 0.041)]


def check_example_knee(sub):
    """The worked example of the prompt"""
    idea = "at 4 requests/s TTFT is exactly at its limit"
    expect_close(sub.knee([(2, 0.2, 0.020), (4, 0.3, 0.026), (6, 1.3, 0.040)], 0.3, 0.030), 4.0, idea)


def check_example_instances(sub):
    """Instances without headroom"""
    expect_equal(sub.instances(90, 3.0, 0), 30, "90 requests/s at 3 each")


def check_between_points(sub):
    """A TTFT limit reached between two points"""
    idea = "TTFT climbs along a straight line from 0.3 at 4 to 1.3 at 6 requests/s and reaches 0.5 at 4.4"
    expect_close(sub.knee(CURVE, 0.5, 0.040), 4.4, idea)


def check_tpot_decides(sub):
    """A TPOT limit reached first"""
    idea = "both limits hold, and TPOT breaks first: 0.026 to 0.040 reaches 0.030 at 4.571"
    expect_close(sub.knee(CURVE, 2.0, 0.030), 4 + 2 * 4 / 14, idea)
    expect_close(sub.knee(CURVE, 0.5, 0.030), 4.4, "both limits break between 4 and 6; TTFT at 4.4, before TPOT at 4.571")
    idea = "both limits hold, and TTFT breaks first, in an earlier piece: half-way from 0.2 to 0.3"
    expect_close(sub.knee(CURVE, 0.25, 0.030), 3.0, idea)
    idea = "both limits hold, and TPOT breaks first, in an earlier piece: half-way from 0.020 to 0.026"
    expect_close(sub.knee(CURVE, 0.8, 0.023), 3.0, idea)


def check_end_of_the_measurements(sub):
    """Limits that no point misses"""
    expect_close(sub.knee(CURVE, 10.0, 0.050), 8.0, "nothing was measured beyond 8 requests/s")
    expect_close(sub.knee(CURVE[:3], 0.5, 0.030), 4.0, "nothing was measured beyond 4 requests/s")
    expect_close(sub.knee([(3, 0.2, 0.02)], 0.2, 0.02), 3.0, "a single point, exactly at both limits; nothing was measured beyond it")
    expect_close(sub.knee(CURVE, 9.0, 0.041), 8.0, "the last point is exactly at both limits")


def check_start_of_the_measurements(sub):
    """Limits that the first point misses"""
    expect_close(sub.knee(CURVE, 0.1, 0.03), 0.0, "the lowest rate already misses the TTFT limit")
    expect_close(sub.knee(CURVE, 1.0, 0.01), 0.0, "the lowest rate already misses the TPOT limit")
    dips = [(1, 0.6, 0.02), (2, 0.3, 0.02), (4, 0.9, 0.02)]
    expect_close(sub.knee(dips, 0.5, 0.03), 0.0, "the lowest rate misses the limit; what comes after does not matter")


def check_curve_that_dips(sub):
    """A noisy curve that comes back under the limit"""
    curve = [(1, 0.2, 0.02), (2, 0.6, 0.02), (3, 0.4, 0.02), (4, 0.4, 0.02), (5, 0.9, 0.02)]
    expect_close(sub.knee(curve, 0.5, 0.03), 1.75, "the limit is first exceeded between 1 and 2 requests/s, three quarters of the way")
    mixed = [(1, 0.2, 0.02), (2, 0.2, 0.04), (3, 0.2, 0.02), (4, 0.8, 0.02)]
    expect_close(sub.knee(mixed, 0.5, 0.03), 1.5, "TPOT is first exceeded at 1.5 requests/s, and recovers; TTFT only later")


def check_flat_at_the_limit(sub):
    """A curve that runs along the limit"""
    curve = [(1, 0.5, 0.03), (2, 0.5, 0.03), (3, 0.5, 0.03), (5, 1.5, 0.03)]
    expect_close(sub.knee(curve, 0.5, 0.03), 3.0, "at the limit is within the limit, for three points in a row")
    curve = [(1, 0.5, 0.03), (2, 0.25, 0.03), (4, 0.25, 0.03), (8, 0.75, 0.09)]
    expect_close(sub.knee(curve, 0.5, 0.06), 6.0, "falling first does no harm; both limits are reached half-way from 4 to 8")


def check_instances(sub):
    """A fleet with headroom"""
    expect_equal(sub.instances(100, 6.0, 20), 21, "20% of 6 are not used, so 100 / 4.8 = 20.83")
    expect_equal(sub.instances(100, 4.4, 20), 29, "20% of 4.4 are not used, so 100 / 3.52 = 28.4")
    expect_equal(sub.instances(1, 1000.0, 0), 1, "a part of an instance is a whole one")
    expect_equal(sub.instances(0, 4.0, 20), 0, "no requests, no instances")
    expect_equal(sub.instances(100, 2.0, 99), 5000, "99% of 2 are not used, so 100 / 0.02")


def check_whole_fleet(sub):
    """Quotients that are whole numbers"""
    for target, rate, headroom, expected in ((69, 2.3, 0, 30), (123, 4.1, 0, 30), (70, 2.3, 0, 31), (36, 4.5, 20, 10), (21, 3.75, 20, 7)):
        idea = "69 requests/s are exactly 30 times 2.3, 70 are more; count a quotient within 1e-9 of a whole number as that number"
        expect_equal(sub.instances(target, rate, headroom), expected, idea)
    for count in range(1, 60):
        expect_equal(sub.instances(count * 7, 10.0, 30), count, "10 with 30% unused are 7 each, so this is exactly enough")
        expect_equal(sub.instances(count * 33, 55.0, 40), count, "55 with 40% unused are 33 each, so this is exactly enough")


def check_no_capacity(sub):
    """An instance that serves nothing"""
    expect_raises(ValueError, lambda: sub.instances(10, 0.0, 20), "no number of instances is enough")
    expect_raises(ValueError, lambda: sub.instances(10, -1.0, 20), "no number of instances is enough")


def check_random(sub, ref, rng):
    """Random curves and fleets, compared with the reference and with the definition"""
    for _ in range(60):
        rates = sorted(rng.sample(range(1, 400), rng.randrange(1, 12)))
        step = rng.choice([0.0, 0.01])
        curve = [(rate / 4, rng.uniform(0.1, 0.4) + step * i * i, rng.uniform(0.01, 0.03) + step * i / 20) for i, rate in enumerate(rates)]
        limits = rng.uniform(0.2, 1.0), rng.uniform(0.02, 0.04)
        kept = list(curve)
        got = sub.knee(curve, *limits)
        expect_close(got, ref.knee(kept, *limits), "where either limit is first exceeded")
        expect_equal(curve, kept, "the curve must not be changed")
    for _ in range(60):
        target, rate, headroom = rng.randrange(0, 5000), rng.randrange(1, 4000) / 64, rng.randrange(0, 100)
        exact = Fraction(target * 100) / (Fraction(rate) * (100 - headroom))
        expect_equal(sub.instances(target, rate, headroom), math.ceil(exact), "target / (rate * used share), rounded up")
