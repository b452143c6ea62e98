"""Hidden checks of exercise 160: dollars per million output tokens."""

from practice.kernel.expect import expect_close, expect_equal, expect_raises


def check_example_fleet(sub):
    """The worked example of the prompt"""
    expect_equal(sub.fleet(200, 30, 16.758, 8), {"instances": 16, "gpus": 128}, "260 requests/s at 16.758 per instance are 15.51, so 16")


def check_output_tokens_only(sub):
    """One GPU, an even day, long prompts"""
    # 3600 s * 2 requests/s * 500 tokens = 3.6 million output tokens an hour for 2.5 dollars.
    idea = "output tokens only: 2.5 dollars an hour for 3.6 million of them"
    expect_close(sub.dollars_per_mtok(1, 2.5, [2.0] * 24, 2000, 500), 2.5 / 3.6, idea)


def check_whole_fleet_pays(sub):
    """The worked design: 128 GPUs, 200 requests a second"""
    # 320 dollars an hour for 200 * 500 * 3600 = 360 million output tokens.
    idea = "the whole fleet is paid for: 320 dollars for 360 million tokens"
    expect_close(sub.dollars_per_mtok(128, 2.5, [200] * 24, 2000, 500), 320 / 360, idea)


def check_day_with_a_peak(sub):
    """A day with a quiet and a busy half"""
    idea = "the average is 120 requests/s: 216 million tokens an hour, not 360 at the peak"
    expect_close(sub.dollars_per_mtok(128, 2.5, [40] * 12 + [200] * 12, 2000, 500), 320 / 216, idea)
    idea = "the average of three hours, 3 requests/s, not the peak: 48 dollars for 3.24 million tokens"
    expect_close(sub.dollars_per_mtok(8, 2.0, [1.0, 3.0, 5.0], 10, 100), 48 / 3.24, idea)


def check_idle_hours(sub):
    """Hours in which nobody comes"""
    idea = "idle hours are paid for too: twice the price of an even day"
    expect_close(sub.dollars_per_mtok(128, 2.5, [0] * 12 + [200] * 12, 2000, 500), 320 / 180, idea)
    idea = "idle hours are paid for too: 144 dollars for 3.6 million tokens"
    expect_close(sub.dollars_per_mtok(10, 3.6, [0, 0, 0, 1], 0, 1000), 40.0, idea)


def check_headroom_on_load(sub):
    """A margin on top of the load"""
    idea = "50% on top of the load are 150 requests/s; 100 / (1 - 0.5) would be 200"
    expect_equal(sub.fleet(100, 50, 10.0, 4), {"instances": 15, "gpus": 60}, idea)
    expect_equal(sub.fleet(100, 0, 7.0, 1), {"instances": 15, "gpus": 15}, "no headroom: 100 / 7 = 14.3, rounded up")
    expect_equal(sub.fleet(100, 100, 10.0, 1), {"instances": 20, "gpus": 20}, "100% on top of the load is twice the load")
    expect_equal(sub.fleet(1, 0, 0.5, 2), {"instances": 2, "gpus": 4}, "an instance that serves a request every two seconds")
    expect_equal(sub.fleet(0.1, 20, 10.0, 8), {"instances": 1, "gpus": 8}, "a hundredth of an instance is a whole one")


def check_whole_quotients(sub):
    """Loads that fill their instances exactly"""
    idea = "110 / 11 is 10; a quotient within 1e-9 of a whole number is that number"
    expect_equal(sub.fleet(100, 10, 11.0, 8), {"instances": 10, "gpus": 80}, idea)
    idea = "69 / 2.3 is 30; a quotient within 1e-9 of a whole number is that number"
    expect_equal(sub.fleet(69, 0, 2.3, 1), {"instances": 30, "gpus": 30}, idea)
    expect_equal(sub.fleet(100, 10, 10.999, 8), {"instances": 11, "gpus": 88}, "110 / 10.999 is more than 10")
    expect_equal(sub.fleet(0, 30, 10.0, 8), {"instances": 0, "gpus": 0}, "no load, no instance")


def check_undefined(sub):
    """Questions without an answer"""
    expect_raises(ValueError, lambda: sub.fleet(100, 30, 0.0, 8), "an instance that serves nothing")
    expect_raises(ValueError, lambda: sub.fleet(100, 30, -1.0, 8), "an instance that serves less than nothing")
    idea = "no requests all day, so no token to share the cost"
    expect_raises(ValueError, lambda: sub.dollars_per_mtok(8, 2.5, [0.0, 0.0], 100, 100), idea)
    expect_raises(ValueError, lambda: sub.dollars_per_mtok(8, 2.5, [1.0], 100, 0), "requests without output, so no token to share the cost")
    expect_equal(sub.dollars_per_mtok(0, 2.5, [1.0], 100, 100), 0.0, "no GPUs cost nothing")


def check_random(sub, ref, rng):
    """Random fleets and days, compared with the reference"""
    for _ in range(60):
        size = (rng.uniform(0, 500), rng.randrange(0, 120), rng.uniform(0.5, 60), rng.choice([1, 2, 4, 8]))
        expect_equal(sub.fleet(*size), ref.fleet(*size), "peak * (1 + headroom) / rate, rounded up")
        day = [rng.choice([0.0, rng.uniform(0, 300)]) for _ in range(rng.choice([1, 24, 168]))] + [1.0]
        kept = list(day)
        args = (rng.randrange(1, 600), rng.uniform(0.5, 12), day, rng.randrange(0, 9000), rng.uniform(1, 2000))
        expect_close(sub.dollars_per_mtok(*args), ref.dollars_per_mtok(*args), "dollars of all hours over output tokens of all hours")
        expect_equal(day, kept, "the list must not be changed")
