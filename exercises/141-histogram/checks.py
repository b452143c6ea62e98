"""Hidden checks of exercise 141: fleet percentiles from histograms."""

import copy
import math

from practice.kernel.expect import expect_close, expect_equal, expect_raises

INF = math.inf
EXAMPLE = [(0.1, 20), (0.2, 60), (0.4, 90), (INF, 100)]
ADD = "percentiles cannot be averaged: add the counts of the replicas, then take the quantile once"


def check_example_one(sub):
    """The first worked example of the prompt"""
    expect_close(sub.quantile(0.9, EXAMPLE), 0.4, "rank 90 is reached exactly at the bound 0.4")


def check_example_fleet(sub):
    """The second worked example of the prompt"""
    expect_close(sub.fleet_quantile(0.6, {}, {"a": EXAMPLE, "b": EXAMPLE}), 0.2, "rank 120 of 200 is reached exactly at the bound 0.2")


def check_between_bounds(sub):
    """A rank inside a bucket"""
    idea = "a straight line inside the bucket: rank 75 is half-way from 60 to 90, so half-way from 0.2 to 0.4"
    expect_close(sub.quantile(0.75, EXAMPLE), 0.3, idea)
    expect_close(sub.quantile(0.25, EXAMPLE), 0.1125, "a straight line inside the bucket: 5 of the 40 between 0.1 and 0.2")


def check_first_bucket(sub):
    """A rank inside the first bucket"""
    expect_close(sub.quantile(0.05, EXAMPLE), 0.025, "the first bucket starts at 0: rank 5 of 20 is a quarter of the way to 0.1")


def check_last_bucket(sub):
    """A rank beyond every finite bound"""
    expect_close(sub.quantile(0.99, EXAMPLE), 0.4, "rank 99 lies above 0.4 s; the answer is the largest finite bound")
    expect_close(sub.quantile(1.0, [(0.5, 0), (INF, 3)]), 0.5, "everything above: the answer is the largest finite bound")


def check_empty_buckets(sub):
    """Empty buckets before, between and after"""
    buckets = [(0.1, 0), (0.2, 10), (0.4, 10), (0.8, 20), (1.6, 20), (INF, 20)]
    expect_close(sub.quantile(0.5, buckets), 0.2, "rank 10 is reached in the bucket up to 0.2, before the empty one")
    expect_close(sub.quantile(0.25, buckets), 0.15, "the empty first bucket is skipped: half of the 10 between 0.1 and 0.2")
    expect_close(sub.quantile(1.0, buckets), 0.8, "all 20 are at most 0.8; the empty buckets above hold nothing")
    expect_close(sub.quantile(0.75, buckets), 0.6, "half-way through the bucket from 0.4 to 0.8")


def check_quantile_range(sub):
    """A q outside its range"""
    for q in (0, -0.1, 1.0000001, 99, math.nan):
        expect_raises(ValueError, lambda: sub.quantile(q, EXAMPLE), "q must be above 0 and at most 1")
        expect_raises(ValueError, lambda: sub.fleet_quantile(q, {}, {"a": EXAMPLE}), "q must be above 0 and at most 1")
    expect_raises(ValueError, lambda: sub.quantile(2, [(0.1, 0), (INF, 0)]), "q must be above 0 and at most 1, also without observations")
    expect_raises(ValueError, lambda: sub.fleet_quantile(0, {}, {}), "q must be above 0 and at most 1, also without replicas")
    expect_raises(ValueError, lambda: sub.fleet_quantile(2, {}, {}), "q must be above 0 and at most 1, also without replicas")


def check_unequal_replicas(sub):
    """A busy fast replica and an idle slow one"""
    busy = [(0.1, 1000), (1.0, 1000), (INF, 1000)]
    idle = [(0.1, 0), (1.0, 10), (INF, 10)]
    # Rank 505 of 1010 lies in the first bucket: 0.1 * 505 / 1000. The average would be (0.05 + 0.55) / 2 = 0.3.
    expect_close(sub.fleet_quantile(0.5, {}, {"busy": busy, "idle": idle}), 0.0505, ADD)


def check_window(sub):
    """Only what happened between two scrapes"""
    before = {"a": [(0.1, 9000), (0.2, 9900), (INF, 10_000)]}
    after = {"a": [(0.1, 9000), (0.2, 9910), (INF, 10_020)]}
    # 10 observations between 0.1 and 0.2, and 10 above.
    expect_close(sub.fleet_quantile(0.25, before, after), 0.15, "only what was counted between the two scrapes: subtract the first")


def check_nothing_observed(sub):
    """No observations, no replicas"""
    empty = [(0.1, 0), (INF, 0)]
    expect_equal(sub.quantile(0.5, empty), None, "without observations there is no quantile")
    expect_equal(sub.fleet_quantile(0.5, {}, {}), None, "without replicas there is no quantile")
    expect_equal(sub.fleet_quantile(0.5, {"a": EXAMPLE}, {"a": EXAMPLE}), None, "nothing was observed between the two scrapes")
    expect_equal(sub.fleet_quantile(0.5, {"a": EXAMPLE}, {}), None, "the only replica is gone")


def check_restarted_replica(sub):
    """A replica that was restarted between the scrapes"""
    before = {"a": [(0.1, 50), (0.2, 80), (INF, 100)]}
    after = {"a": [(0.1, 8), (0.2, 10), (INF, 10)]}
    idea = "counts that fell mean that the process restarted at zero: rank 4 of 8 up to 0.1"
    expect_close(sub.fleet_quantile(0.4, before, after), 0.05, idea)
    after = {"a": [(0.1, 10), (0.2, 90), (INF, 110)]}
    # Only the first count fell, and yet all 110 are new: rank 55, 45 of 80 through the second bucket.
    idea = "restarted, though only one of the counts fell: all of its counts are new"
    expect_close(sub.fleet_quantile(0.5, before, after), 0.15625, idea)


def check_replicas_come_and_go(sub):
    """A new replica and one that is gone"""
    before = {"old": [(0.1, 5), (0.2, 5), (INF, 5)], "stays": [(0.1, 4), (0.2, 4), (INF, 4)]}
    after = {"stays": [(0.1, 4), (0.2, 8), (INF, 8)], "new": [(0.1, 4), (0.2, 4), (INF, 4)]}
    expect_close(sub.fleet_quantile(0.75, before, after), 0.15, "4 new observations up to 0.1, and 4 between 0.1 and 0.2")
    restarted = {"r": [(0.1, 1), (0.2, 1), (INF, 1)], "stays": [(0.1, 104), (0.2, 104), (INF, 104)]}
    earlier = {"r": [(0.1, 50), (0.2, 50), (INF, 50)], "stays": [(0.1, 4), (0.2, 4), (INF, 4)]}
    # Added first, the counts of the fleet grew from 54 to 105 and hide the restart: 51 instead of 101 observations.
    expect_close(sub.fleet_quantile(1.0, earlier, restarted), 0.1, "everything lies in the first bucket")


def check_restart_hidden_in_the_sum(sub):
    """A restart that the sum over the fleet hides"""
    before = {"r": [(0.1, 0), (0.2, 50), (INF, 50)], "s": [(0.1, 0), (0.2, 0), (INF, 0)]}
    after = {"r": [(0.1, 0), (0.2, 30), (INF, 30)], "s": [(0.1, 90), (0.2, 90), (INF, 90)]}
    # 30 + 90 = 120 observations: rank 90 is the bound 0.1 exactly; from the sums it would be 90 + (-20).
    expect_close(sub.fleet_quantile(0.75, before, after), 0.1, "look for restarts replica by replica, before anything is added")


def check_different_bounds(sub):
    """Histograms with other bounds"""
    other = [(0.1, 20), (0.25, 60), (0.4, 90), (INF, 100)]
    idea = "counts of different buckets cannot be added"
    expect_raises(ValueError, lambda: sub.fleet_quantile(0.5, {}, {"a": EXAMPLE, "b": other}), idea)
    expect_raises(ValueError, lambda: sub.fleet_quantile(0.5, {"a": other}, {"a": EXAMPLE}), idea)
    expect_raises(ValueError, lambda: sub.fleet_quantile(0.5, {"a": EXAMPLE[1:]}, {"a": EXAMPLE}), idea)
    expect_close(sub.fleet_quantile(0.6, {"gone": other}, {"a": EXAMPLE}), 0.2, "a replica that is gone takes no part, whatever its bounds")


def random_histogram(rng, bounds, start=None):
    counts, count = [], 0
    for i, bound in enumerate(bounds):
        count += rng.choice([0, 0, rng.randrange(1, 50), rng.randrange(1, 500)])
        counts.append((bound, count + (start[i][1] if start else 0)))
    return counts


def check_random(sub, ref, rng):
    """Random fleets, compared with the reference"""
    for _ in range(60):
        bounds = sorted(rng.sample([i / 16 for i in range(1, 200)], rng.randrange(1, 12))) + [INF]
        before, after = {}, {}
        for i in range(rng.randrange(1, 6)):
            name, kind = f"r{i}", rng.choice(["grows", "grows", "new", "gone", "restarted"])
            smaller = random_histogram(rng, bounds)
            larger = random_histogram(rng, bounds, smaller)
            if kind != "new":
                before[name] = larger if kind == "restarted" else smaller
            if kind != "gone":
                after[name] = larger if kind == "grows" else smaller
        # A q with eleven odd binary digits: its rank never falls on a whole count, where rounding would decide.
        q = rng.randrange(1, 2048, 2) / 2048 if rng.random() < 0.9 else 1.0
        kept = copy.deepcopy((before, after))
        got = sub.fleet_quantile(q, before, after)
        expect_close(got, ref.fleet_quantile(q, *kept), "subtract per replica, add over the fleet, then one quantile")
        expect_equal((before, after), kept, "the arguments must not be changed")
