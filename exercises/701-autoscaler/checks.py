"""Hidden checks of exercise 701: autoscaler with cold starts."""

from practice.kernel.expect import expect_equal


def scaler_of(sub, minimum=1, maximum=10, target=10, cold_start=60, cooldown=120):
    return sub.Autoscaler(minimum=minimum, maximum=maximum, target=target, cold_start=cold_start, cooldown=cooldown)


def outcome(start, stop, ready, pending):
    return {"start": start, "stop": stop, "ready": ready, "pending": pending}


def check_example_worked(sub):
    """The worked example of the prompt"""
    scaler = scaler_of(sub)
    expect_equal(scaler.decide(0, 8, 0.5), outcome(0, 0, 1, 0), "eight outstanding requests are work for one")
    expect_equal(scaler.decide(10, 40, 0.9), outcome(3, 0, 1, 3), "40 are work for four")
    expect_equal(scaler.decide(75, 40, 0.9), outcome(0, 0, 4, 0), "the three are ready since 70")


def check_utilisation_is_no_signal(sub):
    """Busy GPUs and few requests"""
    scaler = scaler_of(sub, minimum=2)
    expect_equal(scaler.decide(0, 12, 1.0), outcome(0, 0, 2, 0), "utilisation reads 1.0 from half load on: 12 requests are work for two replicas")
    expect_equal(scaler.decide(5, 40, 0.0)["start"], 2, "outstanding requests are the signal, whatever the utilisation says")


def check_pending_count(sub):
    """Decisions during a cold start"""
    scaler = scaler_of(sub)
    expect_equal(scaler.decide(0, 30, 1.0), outcome(2, 0, 1, 2), "two more for 30 requests")
    expect_equal(scaler.decide(15, 30, 1.0), outcome(0, 0, 1, 2), "the two that are missing are already starting: ordering them again overshoots")
    expect_equal(scaler.decide(30, 50, 1.0), outcome(2, 0, 1, 4), "five are wished, three are there or already starting")


def check_cold_start_time(sub):
    """The second in which a replica becomes ready"""
    scaler = scaler_of(sub, cold_start=60)
    scaler.decide(0, 20, 1.0)
    scaler.decide(7, 40, 1.0)
    expect_equal(scaler.decide(59, 40, 1.0), outcome(0, 0, 1, 3), "ordered at 0 and 7: nothing is ready at 59")
    expect_equal(scaler.decide(60, 40, 1.0), outcome(0, 0, 2, 2), "ordered at 0, it is ready at 0 + 60")
    expect_equal(scaler.decide(67, 40, 1.0), outcome(0, 0, 4, 0), "ordered at 7, they are ready at 7 + 60")
    scaler = scaler_of(sub, cold_start=0)
    expect_equal(scaler.decide(0, 20, 1.0), outcome(1, 0, 1, 1), "ordered now, ready at the next call")
    expect_equal(scaler.decide(0, 20, 1.0), outcome(0, 0, 2, 0), "without a cold start it is ready at the next call, even at the same time")


def check_growth_is_immediate(sub):
    """Load that rises again shortly after it fell"""
    scaler = scaler_of(sub, cold_start=10, cooldown=50)
    scaler.decide(0, 30, 1.0)
    scaler.decide(60, 5, 0.2)  # the wish of 3 is older than 50 s: two stop
    expect_equal(scaler.decide(61, 30, 1.0), outcome(2, 0, 1, 2), "growth never waits, whatever was stopped a second ago")
    expect_equal(scaler.decide(62, 60, 1.0)["start"], 3, "growth never waits: three more a second later")


def check_scale_down_waits(sub):
    """A quiet minute in a busy hour"""
    scaler = scaler_of(sub, cold_start=10, cooldown=120)
    scaler.decide(0, 40, 1.0)
    scaler.decide(20, 40, 1.0)
    expect_equal(scaler.decide(30, 3, 0.1), outcome(0, 0, 4, 0), "the fleet only shrinks to the highest wish of the last 120 s, which is 4")
    expect_equal(scaler.decide(140, 3, 0.1), outcome(0, 0, 4, 0), "the highest wish is still 4: the decision at 20 is exactly 120 s old")
    expect_equal(scaler.decide(141, 3, 0.1), outcome(0, 3, 1, 0), "now the highest wish of the last 120 s is 1")


def check_shrinks_to_the_highest(sub):
    """A wave that ebbs in steps"""
    scaler = scaler_of(sub, cold_start=5, cooldown=30)
    for now, load in ((0, 90), (10, 70), (20, 40), (25, 60)):
        scaler.decide(now, load, 1.0)
    expect_equal(scaler.decide(31, 10, 0.3), outcome(0, 2, 7, 0), "from 1 on the highest wish is the 7 of time 10")
    expect_equal(scaler.decide(41, 10, 0.3), outcome(0, 1, 6, 0), "from 11 on it is the 6 of time 25, not the 4 of time 20")
    expect_equal(scaler.decide(56, 10, 0.3), outcome(0, 5, 1, 0), "from 26 on it is 1")


def check_pending_go_first(sub):
    """Shrinking while replicas are still starting"""
    scaler = scaler_of(sub, cold_start=300, cooldown=10)
    scaler.decide(0, 20, 1.0)
    scaler.decide(300, 40, 1.0)  # two are ready, two pending, due at 600
    scaler.decide(305, 60, 1.0)  # two more, due at 605
    expect_equal(scaler.decide(320, 30, 1.0), outcome(0, 3, 2, 1), "stop the pending ones first: they serve nobody yet")
    expect_equal(scaler.decide(600, 30, 1.0), outcome(0, 0, 3, 0), "the most recently ordered are stopped first, so the one that is left is due at 600")
    expect_equal(scaler.decide(620, 1, 0.0), outcome(0, 2, 1, 0), "with none pending ready ones stop")


def check_limits(sub):
    """No load and far too much"""
    scaler = scaler_of(sub, minimum=3, maximum=5)
    expect_equal(scaler.decide(0, 0, 0.0), outcome(0, 0, 3, 0), "the size stays between the minimum and the maximum")
    expect_equal(scaler.decide(1, 10_000, 1.0), outcome(2, 0, 3, 2), "the size stays between the minimum and the maximum")
    expect_equal(scaler.decide(500, 0, 0.0), outcome(0, 2, 3, 0), "it shrinks to the minimum and no further")


def check_exact_multiples(sub):
    """Loads at the border of one more replica"""
    scaler = scaler_of(sub, target=10)
    expect_equal(scaler.decide(0, 10, 1.0)["start"], 0, "ten requests are work for exactly one replica")
    expect_equal(scaler.decide(0, 11, 1.0)["start"], 1, "eleven need a second one: round up")


def check_random(sub, ref, rng):
    """Twelve random days against the reference"""
    for _ in range(12):
        low = rng.randint(1, 3)
        settings = dict(minimum=low, maximum=low + rng.randint(0, 9), target=rng.randint(1, 12), cold_start=rng.choice([0, 20, 90]), cooldown=rng.choice([0, 30, 100]))
        mine, theirs = sub.Autoscaler(**settings), ref.Autoscaler(**settings)
        now, load = 0, 0
        for _ in range(40):
            now += rng.choice([0, 5, 10, 15, 40])
            load = max(0, load + rng.randint(-30, 35))
            busy = rng.random()
            expect_equal(mine.decide(now, load, busy), theirs.decide(now, load, busy), "make ready, wish, grow at once, shrink to the highest wish of the window")
