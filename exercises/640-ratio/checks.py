"""Hidden checks of exercise 640: how many prefill and decode instances."""

from practice.kernel.expect import expect_equal, expect_raises


def phase(rate, prompt, output, hit=0.0):
    return {"rate": rate, "prompt": prompt, "output": output, "hit": hit}


def check_example_worked(sub):
    """The worked example of the prompt"""
    expect_equal(
        sub.size_pools([phase(150, 1000, 200)], 4000, 1500),
        {"per_phase": [(38, 20)], "fixed": 58, "flexible": 58},
        "150 * 1000 / 4000 is 37.5, rounded up; 150 * 200 / 1500 is 20",
    )


def check_hits_save_prefill_only(sub):
    """Half of the prompt tokens cached"""
    expect_equal(
        sub.size_pools([phase(100, 1000, 300, 0.5)], 5000, 2000)["per_phase"], [(10, 15)],
        "hits halve the prompt tokens to compute; decode still has to generate every output token",
    )


def check_exact_count(sub):
    """Counts that come out whole"""
    expect_equal(
        sub.size_pools([phase(150, 1000, 100, 0.18)], 1000, 1000)["per_phase"], [(123, 15)],
        "150 * 1000 * 0.82 / 1000 is 123, not 124: a float ceiling sees 123.00000000000001",
    )
    expect_equal(
        sub.size_pools([phase(1000, 1000, 1, 0.999), phase(100, 700, 3, 0.1)], 1000, 100)["per_phase"], [(1, 10), (63, 3)],
        "count in whole thousandths: 1000 * 1000 * 0.001 / 1000 is 1, and 100 * 700 * 0.9 / 1000 is 63",
    )


def check_flexible_roles(sub):
    """Three phases, roles that change"""
    day = [phase(10, 3000, 100), phase(20, 1000, 400), phase(5, 1000, 100)]
    expect_equal(
        sub.size_pools(day, 1000, 500)["flexible"], 36,
        "flexible roles have to cover the largest sum of one and the same phase, 20 + 16",
    )


def check_fixed_roles(sub):
    """Two phases, roles that never change"""
    day = [phase(50, 8000, 100), phase(80, 500, 1000)]
    expect_equal(
        sub.size_pools(day, 10_000, 2000)["fixed"], 80,
        "with fixed roles each pool's own worst phase counts: 40 for prefill and 40 for decode",
    )


def check_at_least_one(sub):
    """Everything cached, and a night without traffic"""
    expect_equal(
        sub.size_pools([phase(3, 1000, 10, 1.0)], 1000, 1000)["per_phase"], [(1, 1)],
        "with traffic there is at least one of each: somebody has to take the request and compute its last token",
    )
    expect_equal(
        sub.size_pools([phase(0, 1000, 10)], 1000, 1000), {"per_phase": [(0, 0)], "fixed": 0, "flexible": 0},
        "without traffic a phase needs none",
    )
    expect_equal(sub.size_pools([], 1000, 1000), {"per_phase": [], "fixed": 0, "flexible": 0}, "no phases, no instances")


def check_bad_input(sub):
    """Speeds and hit rates that cannot be"""
    expect_raises(ValueError, lambda: sub.size_pools([phase(1, 1, 1, 18)], 1, 1), "a hit rate is a share between 0 and 1; 18 is a percentage")
    expect_raises(ValueError, lambda: sub.size_pools([phase(1, 1, 1, -0.1)], 1, 1), "a hit rate is a share between 0 and 1")
    expect_raises(ValueError, lambda: sub.size_pools([phase(1, 1, 1, 1.001)], 1, 1), "a hit rate is a share between 0 and 1")
    expect_raises(ValueError, lambda: sub.size_pools([phase(1, 1, 1)], 0, 1), "an instance that computes nothing cannot be counted")
    expect_raises(ValueError, lambda: sub.size_pools([phase(1, 1, 1)], 1, 0), "an instance that generates nothing cannot be counted")


def check_random(sub, ref, rng):
    """Two hundred random days against the reference"""
    for _ in range(200):
        day = [
            phase(rng.choice([0, rng.randint(1, 300)]), rng.randint(1, 20_000), rng.randint(1, 3000), rng.randint(0, 1000) / 1000)
            for _ in range(rng.randint(0, 5))
        ]
        speeds = rng.choice([1, 500, 1000, rng.randint(1, 50_000)]), rng.choice([1, 100, 2000, rng.randint(1, 5000)])
        expect_equal(sub.size_pools(day, *speeds), ref.size_pools(day, *speeds), "exact ceilings per phase, then the two ways to add them up")
