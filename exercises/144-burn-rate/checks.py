"""Hidden checks of exercise 144: alert on the burn rate of an SLO."""

import copy

from practice.kernel.expect import expect_close, expect_equal

EXAMPLE = [(60, 100, 0), (120, 100, 0), (180, 100, 50), (240, 100, 50)]
PAGE = ("page", 3600, 300, 14.4)
SLOW_PAGE = ("slow page", 6 * 3600, 1800, 6.0)
TICKET = ("ticket", 3 * 86400, 6 * 3600, 1.0)


def minutes(count, total=1000, bad=lambda minute: 0):
    """One sample a minute; bad(m) of the requests of minute m (1 is the first) are bad."""
    return [(60 * m, total, bad(m)) for m in range(1, count + 1)]


def check_example_burn_rate(sub):
    """The burn rates of the worked example"""
    expect_close(sub.burn_rate(EXAMPLE, 240, 100, 0.75), 2.0, "half are bad, a quarter is allowed")


def check_example_firing(sub):
    """The rules of the worked example"""
    got = sub.firing(EXAMPLE, 240, 0.75, [("page", 100, 50, 2.0), ("ticket", 200, 50, 3.0)])
    expect_equal(got, ["page"], "both windows of the page burn at 2.0, which is at least 2.0")


def check_few_bad(sub):
    """Few bad requests among many"""
    expect_close(sub.burn_rate(EXAMPLE, 240, 240, 0.75), 1.0, "100 bad requests of 400, a quarter is allowed")
    expect_close(sub.burn_rate([(60, 1000, 10)], 60, 60, 0.999), 10.0, "1% are bad requests, 0.1% may be")
    expect_close(sub.burn_rate([(60, 1000, 0)], 60, 60, 0.999), 0.0, "no bad requests, nothing burnt")
    expect_close(sub.burn_rate([(60, 1000, 1000)], 60, 60, 0.999), 1000.0, "all are bad requests: the fastest this objective can burn")


def check_window_edges(sub):
    """Samples exactly at the edges of the window"""
    samples = [(60, 100, 100), (120, 100, 0), (180, 100, 50), (240, 100, 100)]
    expect_close(sub.burn_rate(samples, 180, 120, 0.5), 0.5, "the left edge (60) is out, the right edge (180) is in, and 240 is after now")
    expect_close(sub.burn_rate(samples, 179, 120, 0.5), 1.0, "from after 59 to 179: the samples of 60 and 120")
    expect_close(sub.burn_rate(samples, 240, 180, 0.5), 1.0, "the left edge (60) is out: 150 bad of 300")


def check_uneven_traffic(sub):
    """A busy minute and a quiet one"""
    samples = [(60, 1000, 0), (120, 2, 1)]
    idea = "the sum of the requests, 1 bad of 1002, not the mean of 0% and 50%"
    expect_close(sub.burn_rate(samples, 120, 120, 0.999), 1 / 1002 / 0.001, idea)


def check_blip(sub):
    """A single bad minute in a good hour"""
    samples = minutes(60, bad=lambda m: 100 if m == 60 else 0)
    # Short: 100 of 5000 = 2% = 20 times the budget; long: 100 of 60,000 = 1.67 times.
    expect_equal(sub.firing(samples, 3600, 0.999, [PAGE]), [], "the long window burns at 1.67 only: a blip is no reason to wake anyone")


def check_incident_is_over(sub):
    """Ten minutes after an incident"""
    samples = minutes(60, bad=lambda m: 500 if 30 <= m < 50 else 0)
    # Long: 10,000 of 60,000 = 167 times the budget; short: nothing.
    expect_equal(sub.firing(samples, 3600, 0.999, [PAGE]), [], "the short window does not burn any more, so the alert has to reset")
    during = sub.firing(samples, 45 * 60, 0.999, [PAGE])
    expect_equal(during, ["page"], "in minute 45 both windows burn, though the log is shorter than the long one")


def check_three_rules(sub):
    """A slow leak, judged by three rules"""
    samples = minutes(3 * 1440, bad=lambda m: 2)
    now = 3 * 86400
    expect_equal(sub.firing(samples, now, 0.999, [PAGE, SLOW_PAGE, TICKET]), ["ticket"], "0.2% bad burns at 2: a ticket for tomorrow")
    samples = minutes(3 * 1440, bad=lambda m: 20 if m > 3 * 1440 - 360 else 0)
    got = sub.firing(samples, now, 0.999, [TICKET, PAGE, SLOW_PAGE])
    # Over three days: 360 * 20 of 4,320,000 = 1.67 times; over the last six hours 20 times.
    expect_equal(got, ["ticket", "page", "slow page"], "all three burn; the names come in the order of the rules")


def check_exactly_at_factor(sub):
    """A burn rate equal to the factor"""
    samples = [(60, 8, 1), (120, 8, 3)]
    idea = "the long window burns at exactly 1.0: at least the factor"
    expect_equal(sub.firing(samples, 120, 0.75, [("long", 120, 60, 1.0)]), ["long"], idea)
    expect_equal(sub.firing(samples, 120, 0.75, [("short", 120, 60, 1.0625)]), [], "the long window burns at 1.0, less than 1.0625")
    idea = "the short window burns at exactly 1.0"
    expect_equal(sub.firing([(60, 8, 4), (120, 8, 2)], 120, 0.75, [("short", 120, 60, 1.0)]), ["short"], idea)


def check_no_traffic(sub):
    """Windows without requests"""
    expect_equal(sub.burn_rate([], 100, 60, 0.999), 0.0, "no requests, so nothing was burnt")
    expect_equal(sub.burn_rate([(60, 100, 50)], 61, 1, 0.999), 0.0, "no requests: 60 is the left edge of this window, which is out")
    quiet = [(60, 100, 100), (120, 0, 0)]
    expect_equal(sub.burn_rate(quiet, 120, 60, 0.999), 0.0, "no requests in the window, so nothing was burnt")
    expect_equal(sub.firing(quiet, 120, 0.999, [("page", 120, 60, 1.0)]), [], "no requests in the short window: it does not burn")
    expect_close(sub.budget_left([(60, 0, 0)], 60, 60, 0.999), 1.0, "no requests, so the budget is untouched")


def check_budget_left(sub):
    """Budget untouched, used up, overspent"""
    expect_close(sub.budget_left([(60, 1000, 0)], 60, 60, 0.999), 1.0, "nothing spent")
    expect_close(sub.budget_left(EXAMPLE, 240, 240, 0.75), 0.0, "100 bad requests of 100 allowed", abs=1e-9)
    expect_close(sub.budget_left([(60, 1000, 1)], 60, 60, 0.998), 0.5, "1 bad request of 2 allowed")
    expect_close(sub.budget_left([(60, 1000, 4)], 60, 60, 0.998), -1.0, "4 bad requests of 2 allowed: overspent by the whole budget")
    samples = [(60, 1000, 1000), (120, 1000, 1), (180, 1000, 9)]
    expect_close(sub.budget_left(samples, 120, 60, 0.998), 0.5, "only the requests of the period count, up to now")


def check_random(sub, ref, rng):
    """Random logs and rules, compared with the reference"""
    for _ in range(40):
        end, samples = 0, []
        for _ in range(rng.randrange(0, 60)):
            end += rng.choice([10, 30, 60, rng.randrange(1, 200)])
            total = rng.choice([0, 1, rng.randrange(1, 2000)])
            samples.append((end, total, rng.randrange(0, total + 1) if rng.random() < 0.5 else 0))
        now, objective = rng.randrange(1, end + 120), rng.choice([0.9, 0.99, 0.995, 0.999])
        rules = [(f"r{i}", rng.randrange(60, 3600), rng.randrange(10, 600), rng.uniform(0.1, 60)) for i in range(5)]
        kept = copy.deepcopy((samples, rules))
        window = rng.randrange(1, 4000)
        idea = "bad / total / (1 - objective)"
        expect_close(sub.burn_rate(samples, now, window, objective), ref.burn_rate(kept[0], now, window, objective), idea)
        got = sub.firing(samples, now, objective, rules)
        expect_equal(got, ref.firing(kept[0], now, objective, kept[1]), "both windows must burn at the factor or faster")
        left = ref.budget_left(kept[0], now, window, objective)
        expect_close(sub.budget_left(samples, now, window, objective), left, "1 - bad / allowed", abs=1e-9)
        expect_equal((samples, rules), kept, "the arguments must not be changed")
