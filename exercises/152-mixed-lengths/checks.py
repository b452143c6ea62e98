"""Hidden checks of exercise 152: short prompts behind long ones."""

import math

from practice.kernel.expect import expect_close, expect_equal

CHAT = [(0.8, 0.1), (0.2, 0.6)]
DOCUMENTS = [(95, 0.05), (5, 4.0)]
MIX = "first come first served makes everybody wait for the long ones: the second moment of the mix counts, not only its mean"


def check_example_mean_wait(sub):
    """The worked example of the prompt"""
    expect_close(sub.mean_wait(150, CHAT), 0.2, "R = 0.1 s, and half of the time is free")


def check_same_mean(sub):
    """Three mixes with the same mean and the same utilisation"""
    expect_close(sub.mean_wait(150, [(1.0, 0.2)]), 0.1, "all alike (M/D/1): the second moment is 0.04, and the wait half of the mixed one")
    # E[S] = 0.98 * 0.1 + 0.02 * 5.1 = 0.2; E[S^2] = 0.0098 + 0.5202 = 0.53; R = 0.6625; W = 1.325.
    expect_close(sub.mean_wait(150, [(0.98, 0.1), (0.02, 5.1)]), 1.325, MIX)


def check_weights(sub):
    """Weights that do not sum to 1"""
    expect_close(sub.mean_wait(150, [(4, 0.1), (1, 0.6)]), 0.2, "the weights 4 and 1 mean 80% and 20%")


def check_short_first(sub):
    """Short ones first, in the worked example"""
    # R = 0.1 s; the short ones use 0.2 of the server, all together 0.5: 0.1 / 0.8 and 0.1 / (0.8 * 0.5).
    idea = "R is half the rate times the mean of the squares: even a short prompt waits for the one already being served, which may be long"
    expect_close(sub.short_first(150, CHAT), [0.125, 0.25], idea)


def check_short_first_order(sub):
    """Classes in any order"""
    idea = "the answer is in the order of the classes given, not by length"
    expect_close(sub.short_first(150, [(0.2, 0.6), (0.8, 0.1)]), [0.25, 0.125], idea)
    expect_close(sub.short_first(150, [(12, 0.1), (3, 0.6)]), [0.125, 0.25], "the weights 12 and 3 mean 80% and 20%")
    # R = 1 * (0.25 * 0.25 + 0.5 * 1 + 0.25 * 0.0625) / 2 = 0.2890625 s; sigma: 0.0625, 0.1875, 0.6875.
    got = sub.short_first(60, [(1, 0.5), (2, 1.0), (1, 0.25)])
    r = 0.2890625
    expect_close(got, [r / (0.9375 * 0.8125), r / (0.8125 * 0.3125), r / 0.9375], "by length: the third, the first, the second")


def check_max_rate(sub):
    """The rate for a wait budget"""
    expect_close(sub.max_rate(CHAT, 0.2), 150.0, "2.5 prompts per second are 150 per minute")
    expect_close(sub.max_rate([(12, 0.1), (3, 0.6)], 0.2), 150.0, "the weights 12 and 3 mean 80% and 20%")
    expect_close(sub.max_rate([(1, 2.0)], 1.0), 15.0, "M/D/1 at half load waits half a service: 0.25 per second are 15 per minute")
    for wait in (0.01, 1.0, 60.0):
        idea = "at the largest rate per minute the wait is the budget"
        expect_close(sub.mean_wait(sub.max_rate(DOCUMENTS, wait), DOCUMENTS), wait, idea, rel=1e-6)


def check_saturated(sub):
    """No traffic, a utilisation of exactly 1, and more"""
    expect_equal(sub.mean_wait(0, CHAT), 0.0, "without traffic nobody waits")
    expect_equal(sub.short_first(0, CHAT), [0.0, 0.0], "without traffic nobody waits")
    expect_equal(sub.mean_wait(1000, CHAT), math.inf, "beyond a utilisation of 1 the wait is infinite")
    expect_equal(sub.mean_wait(240, [(1, 0.25)]), math.inf, "4 per second of 0.25 s: the utilisation is 1 and the wait infinite")
    expect_equal(sub.short_first(240, [(1, 0.25)]), [math.inf], "a single class at a utilisation of 1 waits an infinite time")


def check_long_ones_starve(sub):
    """Overload, with short ones first"""
    # 4 per second: 3 short ones (0.125 s) use 0.375, 1 long one (2 s) wants 2 and gets 0.625; R = 0.375 * 0.0625 + 0.625 * 1.
    got = sub.short_first(240, [(1, 2.0), (3, 0.125)])
    expect_close(got, [math.inf, 0.6484375 / 0.625], "only the long ones starve: the server is always busy, with 0.625 of its time on them")
    # One per second: 0.5 of 0.5 s use 0.25; 0.25 of 2 s would use 0.5; 0.25 of 4 s want 1 and get 0.25. R = 0.0625 + 0.5 + 0.5.
    got = sub.short_first(60, [(1, 2.0), (2, 0.5), (1, 4.0)])
    idea = "the class at which the load reaches 1 gets what is left, and starves"
    expect_close(got, [1.0625 / (0.75 * 0.25), 1.0625 / 0.75, math.inf], idea)
    # Classes longer than the starving one are never served, so nobody finds them in service: R = 0.0625 + 0.75 * 2.
    got = sub.short_first(60, [(2, 0.5), (1, 4.0), (1, 100.0)])
    expect_close(got, [1.5625 / 0.75, math.inf, math.inf], "classes longer than the starving one get no service at all")


def check_random(sub, ref, rng):
    """Random mixes, compared with the reference and with the conservation law"""
    for _ in range(40):
        seconds = rng.sample([i / 50 for i in range(1, 400)], rng.randrange(1, 6))
        classes = [(rng.uniform(0.1, 20), s) for s in seconds]
        busy = rng.uniform(0.05, 1.6)
        total = sum(w for w, _ in classes)
        rate = 60 * busy / (sum(w * s for w, s in classes) / total)
        kept = list(classes)
        wait = sub.mean_wait(rate, classes)
        expect_close(wait, ref.mean_wait(rate, kept), "R / (1 - utilisation)")
        waits = sub.short_first(rate, classes)
        expect_close(waits, ref.short_first(rate, kept), "R / ((1 - shorter) * (1 - shorter and equal))")
        if busy < 1:
            by_load = sum(w / total * s * x for (w, s), x in zip(classes, waits)) / sum(w / total * s for w, s in classes)
            idea = "weighted by load, the waits of all classes keep their mean whatever the order (conservation law)"
            expect_close(by_load, wait, idea, rel=1e-6)
        budget = rng.uniform(0.01, 20)
        expect_close(sub.max_rate(classes, budget), ref.max_rate(kept, budget), "2 w / (E[S^2] + 2 w E[S]), per minute")
        expect_equal(classes, kept, "the classes must not be changed")
