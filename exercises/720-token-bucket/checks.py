"""Hidden checks of exercise 720: token bucket per tenant."""

from practice.kernel.expect import expect_equal, expect_raises
from practice.kernel.scenario import scenario


@scenario
def drive_polling(submission, rate, capacity, polls):
    """One bucket, emptied and then polled every millisecond; returns at which polls a token was granted."""
    bucket = submission.TokenBucket(rate, capacity)
    bucket.take(0, capacity)
    return [now for now in range(1, polls + 1) if bucket.take(now, 1)]


def check_example(sub):
    """The worked example of the prompt"""
    bucket = sub.TokenBucket(2, 10)
    expect_equal(bucket.take(0, 10), True, "a new bucket is full")
    expect_equal(bucket.wait(0, 4), 2000, "4 tokens at 2 per second")
    expect_equal(bucket.take(2000, 4), True, "exactly 4 tokens are there")
    expect_equal(bucket.take(2000, 0), True, "0 tokens are always there")
    expect_equal(bucket.take(3000, 2), True, "another second brought 2")


def check_refusal_is_free(sub):
    """A client that is refused and tries again"""
    bucket = sub.TokenBucket(10, 10)
    bucket.take(0, 10)
    for now in (100, 200, 300, 400):
        expect_equal(bucket.take(now, 5), False, "5 tokens are there only after 500 ms")
    expect_equal(bucket.take(500, 5), True, "a refused request removes nothing: 5 tokens came in over 500 ms")


def check_wait_removes_nothing(sub):
    """Asking for the wait"""
    bucket = sub.TokenBucket(10, 10)
    expect_equal(bucket.wait(0, 10), 0, "a full bucket pays at once")
    expect_equal(bucket.wait(0, 10), 0, "asking removes nothing")
    bucket.take(0, 8)
    idea = "2 are there, 5 more take 500 ms, of which 300 have passed"
    expect_equal([bucket.wait(0, 2), bucket.wait(0, 7), bucket.wait(300, 7)], [0, 500, 200], idea)
    expect_equal(bucket.take(500, 7), True, "asking removes nothing")


def check_idle_time_does_not_pile_up(sub):
    """A night of silence"""
    bucket = sub.TokenBucket(10, 20)
    bucket.take(0, 20)
    night = 8 * 3600 * 1000
    expect_equal(bucket.take(night, 21), False, "after a night the bucket holds its capacity of 20, no more")
    expect_equal(bucket.take(night, 20), True, "after a night the bucket is full")
    expect_equal(bucket.take(night, 1), False, "the capacity of 20 is used up; the night brought no more")


def check_impossible_cost(sub):
    """A cost above the capacity"""
    bucket = sub.TokenBucket(10, 20)
    expect_equal(bucket.wait(0, 21), None, "21 tokens never fit into a bucket of 20")
    expect_equal(bucket.take(0, 21), False, "21 tokens never fit into a bucket of 20")
    bucket.take(0, 20)
    expect_equal(bucket.wait(0, 20), 2000, "the whole capacity is possible, with patience")
    large = sub.TokenBucket(10, 5000)
    expect_equal([large.wait(0, 5001), large.wait(0, 5000)], [None, 0], "5001 tokens never fit into a bucket of 5000, and 5000 do")
    expect_equal(bucket.wait(1000, 10**12), None, "never, however long one waits")


def check_wait_is_enough(sub):
    """Obeying the wait"""
    bucket = sub.TokenBucket(3, 10)
    bucket.take(0, 10)
    expect_equal(bucket.wait(0, 1), 334, "a third of a second, rounded up so that it is long enough: after 333 ms there are 0.999 tokens")
    expect_equal(bucket.take(334, 1), True, "after 334 ms there are 1.002 tokens")
    other = sub.TokenBucket(7, 10)
    other.take(0, 10)
    expect_equal(other.wait(0, 5), 715, "5 tokens at 7 per second take 714.3 ms, rounded up so that it is long enough")


def check_fractions_are_kept(sub):
    """A bucket that is polled every millisecond"""
    bucket = sub.TokenBucket(3, 10)
    bucket.take(0, 10)
    idea = "each millisecond brings a fraction of a token, and no fraction may be lost"
    expect_equal(bucket.take(333, 1), False, "after 333 ms there are 0.999 tokens")
    expect_equal(bucket.take(334, 1), True, idea)
    expect_equal(bucket.wait(334, 1), 333, "0.002 tokens are left, a fraction that may not be lost; the other 0.998 take 332.7 ms")
    expect_equal(sub.run(drive_polling, 3, 10, 2000), [334, 667, 1000, 1334, 1667, 2000], idea)
    expect_equal(sub.run(drive_polling, 7, 10, 1000), [143, 286, 429, 572, 715, 858, 1000], idea)


def check_large_numbers(sub):
    """Times and amounts beyond the digits of a float"""
    bucket = sub.TokenBucket(1, 10**18)
    start = 1_900_000_000_000
    expect_equal(bucket.take(start, 10**18 - 1), True, "all but one token")
    expect_equal(bucket.take(start, 2), False, "one token is there, exactly")
    expect_equal(bucket.wait(start, 10**18), 1000 * (10**18 - 1), "whole numbers stay exact, however large")
    expect_equal(bucket.take(start + 1000, 2), True, "one token and another one after a second, exactly")


def check_clock_steps_back(sub):
    """Calls whose time runs backwards"""
    bucket = sub.TokenBucket(10, 10)
    bucket.take(1000, 10)
    expect_equal(bucket.take(500, 1), False, "backwards by 500 ms: no time has passed, and the bucket is still empty")
    expect_equal(bucket.wait(0, 5), 500, "backwards: the wait counts from the latest time seen")
    expect_equal(bucket.take(1000, 1), False, "back at the latest time: the step backwards must not be credited")
    expect_equal(bucket.take(1100, 1), True, "100 ms after the latest time one token is there")
    expect_equal(bucket.take(-5000, 0), True, "0 tokens are always there")
    expect_equal(bucket.wait(1100, 10), 1000, "the bucket is empty at the latest time seen")
    late = sub.TokenBucket(10, 10)
    expect_equal(late.wait(-7000, 11), None, "the first call sets the time, whatever it is")
    expect_equal(late.take(-7000, 10), True, "the first call sets the time, and the bucket is full then")
    expect_equal(late.take(-6900, 1), True, "100 ms later one token is there")


def check_ranges(sub):
    """Arguments outside their ranges"""
    for rate, capacity in ((0, 10), (10, 0), (-1, 10), (10, -1)):
        expect_raises(ValueError, lambda: sub.TokenBucket(rate, capacity), "rate and capacity are at least 1")
    bucket = sub.TokenBucket(1, 1)
    expect_raises(ValueError, lambda: bucket.take(5000, -1), "a negative cost would fill the bucket")
    expect_raises(ValueError, lambda: bucket.wait(9000, -1), "a negative cost would fill the bucket")
    expect_equal(bucket.take(0, 1), True, "the smallest bucket holds one token, and the refused calls changed nothing")
    expect_equal(bucket.wait(0, 1), 1000, "the refused calls changed nothing, not even the time")


def check_tenants_are_apart(sub):
    """Two tenants"""
    limiter = sub.Limiter(10, 10)
    expect_equal(limiter.take("loud", 0, 10), True, "a new tenant's bucket is full")
    expect_equal(limiter.take("loud", 0, 1), False, "the loud tenant's bucket is empty")
    expect_equal(limiter.take("quiet", 0, 10), True, "each tenant has its own bucket, full at first")
    expect_equal(limiter.wait("quiet", 0, 5), 500, "the wait of the tenant's own bucket")
    expect_equal(limiter.wait("new", 100, 10), 0, "asking about a new tenant finds a full bucket")
    expect_equal(limiter.take("late", 1000, 10), True, "time is per tenant")
    expect_equal(limiter.take("loud", 500, 5), True, "a later call of another tenant does not move this one's clock")
    expect_equal(limiter.wait("new", 100, 11), None, "never, for any tenant")


def check_random(sub, ref, rng):
    """Random traffic of three tenants, compared with the reference"""
    for _ in range(6):
        rate, capacity = rng.choice([1, 3, 7, 60, 999]), rng.randrange(1, 200)
        limiter, expected = sub.Limiter(rate, capacity), ref.Limiter(rate, capacity)
        now = rng.randrange(-1000, 10**12)
        for _ in range(60):
            now += rng.choice([0, 1, rng.randrange(0, 50), rng.randrange(0, 3000), -rng.randrange(0, 400)])
            args = (rng.choice("abc"), now, rng.randrange(0, capacity + 3))
            if rng.random() < 0.5:
                expect_equal(limiter.take(*args), expected.take(*args), "all of the cost or nothing, from the tenant's own bucket")
            else:
                expect_equal(limiter.wait(*args), expected.wait(*args), "fewest whole milliseconds until the cost is there")
