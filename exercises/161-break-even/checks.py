"""Hidden checks of exercise 161: self-host or call the API."""

from fractions import Fraction

from practice.kernel.expect import expect_close, expect_equal

PRICES = {"input": 30, "cached_input": 3, "output": 120}


def check_example_self_host(sub):
    """The first worked example of the prompt"""
    expect_equal(sub.self_host_cents(100_000, 24, 2_500, 250), 12_000, "4,167 requests an hour take two instances of 2,500")


def check_example_api(sub):
    """The second worked example of the prompt"""
    expect_close(sub.api_cents(1_000, PRICES, 0, 500, 0), 60.0, "500 output tokens at 120 cents a million are 0.06 cents")


def check_input_counts(sub):
    """An API bill with prompts"""
    # 2000 * 30 + 500 * 120 = 120,000 cents per million requests.
    idea = "prompt tokens are billed too: 2000 of them at 30 cost as much as 500 at 120"
    expect_close(sub.api_cents(1_000, PRICES, 2_000, 500, 0), 120.0, idea)


def check_cached_tokens(sub):
    """An API bill with cache hits"""
    expect_close(sub.api_cents(1_000, PRICES, 2_000, 500, 60), 87.6, "60% of the prompt is cached: 1200 tokens at 3, 800 at 30, 500 at 120")
    expect_close(sub.api_cents(1_000, PRICES, 2_000, 0, 100), 6.0, "all of the prompt is cached: 2000 tokens at 3")
    expect_close(sub.api_cents(1_000_000, PRICES, 7, 0, 33), 147.63, "33% of 7 tokens are 2.31 cached tokens on average; do not round them")


def check_busy_hours(sub):
    """Traffic in ten hours of the day"""
    got = sub.self_host_cents(100_000, 10, 2_500, 250)
    expect_equal(got, 24_000, "in the busy hours 10,000 requests an hour arrive: four instances, paid for 24 hours")


def check_fixed_cost(sub):
    """A nearly idle instance"""
    expect_equal(sub.self_host_cents(10, 24, 2_500, 250), 6_000, "an instance is paid for whether used or not")
    expect_equal(sub.self_host_cents(0, 10, 2_500, 250), 6_000, "at least one instance is rented, even for no requests")


def check_full_instances(sub):
    """Traffic that fills the instances exactly, and one request more"""
    expect_equal(sub.self_host_cents(25_000, 10, 2_500, 250), 6_000, "25,000 requests in 10 hours fill one instance exactly")
    expect_equal(sub.self_host_cents(25_001, 10, 2_500, 250), 12_000, "one request more needs a second instance")
    expect_equal(sub.self_host_cents(3 * 10**17, 10, 10**16, 1), 72, "whole numbers stay exact, however large")
    expect_equal(sub.self_host_cents(3 * 10**17 + 1, 10, 10**16, 1), 96, "whole numbers stay exact, however large")


def check_break_even(sub):
    """Where one instance starts to pay"""
    # 6,000 cents a day over 0.12 cents a request.
    expect_equal(sub.break_even(PRICES, 2_000, 500, 0, 10, 8_000, 250), 50_000, "6,000 cents a day over 0.12 cents a request")
    expect_equal(sub.break_even(PRICES, 2_000, 500, 100, 10, 10_000, 275), 100_000, "6,600 cents a day over 0.066 cents a request")


def check_whole_requests(sub):
    """A break-even point between two whole numbers"""
    prices = {"input": 0, "cached_input": 0, "output": 700}
    # 24 cents a day over 0.7 cents: 34.3.
    idea = "at 34 requests the API is cheaper; 35 is the first whole number at which it is not"
    expect_equal(sub.break_even(prices, 0, 1_000, 0, 24, 100, 1), 35, idea)
    idea = "6,000 cents a day over 0.0876 cents a request are 68,493.15: the first whole number is 68,494"
    expect_equal(sub.break_even(PRICES, 2_000, 500, 60, 10, 8_000, 250), 68_494, idea)


def check_never_cheaper(sub):
    """A break-even point beyond the instance's capacity"""
    expect_equal(sub.break_even(PRICES, 2_000, 500, 0, 10, 5_000, 250), 50_000, "50,000 requests are exactly what 10 hours at 5,000 serve")
    idea = "one instance cannot serve 50,000 requests in 10 hours at 4,999"
    expect_equal(sub.break_even(PRICES, 2_000, 500, 0, 10, 4_999, 250), None, idea)
    idea = "one instance cannot serve 50,000 requests in 9 hours at 5,000"
    expect_equal(sub.break_even(PRICES, 2_000, 500, 0, 9, 5_000, 250), None, idea)


def check_free(sub):
    """Prices of nothing"""
    free = {"input": 0, "cached_input": 0, "output": 0}
    idea = "an API that costs nothing is never beaten by an instance that costs something"
    expect_equal(sub.break_even(free, 2_000, 500, 0, 10, 5_000, 250), None, idea)
    expect_equal(sub.break_even(PRICES, 0, 0, 0, 10, 5_000, 250), None, "requests without tokens cost nothing")
    expect_equal(sub.break_even(free, 2_000, 500, 0, 10, 5_000, 0), 0, "both cost nothing: at equal cost the instance wins")
    expect_equal(sub.break_even(PRICES, 2_000, 500, 0, 10, 5_000, 0), 0, "a free instance wins at once")


def check_random(sub, ref, rng):
    """Random prices, compared with the reference and with the two costs"""
    idea = "the smallest number of requests at which 24 hours of one instance cost no more than the API"
    for _ in range(60):
        prices = {"input": rng.randrange(0, 500), "cached_input": rng.randrange(0, 50), "output": rng.randrange(1, 2_000)}
        request = (prices, rng.randrange(0, 5_000), rng.randrange(1, 2_000), rng.randrange(0, 101))
        fleet = (rng.randrange(1, 25), rng.randrange(1, 20_000), rng.randrange(1, 3_000))
        traffic, kept = rng.randrange(0, 500_000), dict(prices)
        idea = "cached input, input and output, each at its price"
        expect_close(sub.api_cents(traffic, *request), ref.api_cents(traffic, *request), idea)
        expect_equal(sub.self_host_cents(traffic, *fleet), ref.self_host_cents(traffic, *fleet), "sized for the busy hours, paid for 24")
        got = sub.break_even(*request, *fleet)
        expect_equal(got, ref.break_even(*request, *fleet), idea)
        if got is not None:
            cents = Fraction(request[1] * (request[3] * prices["cached_input"] + (100 - request[3]) * prices["input"]), 10**8)
            cents += Fraction(request[2] * prices["output"], 10**6)
            expect_equal([got * cents >= 24 * fleet[2], (got - 1) * cents >= 24 * fleet[2]], [True, False], idea)
        expect_equal(prices, kept, "the prices must not be changed")
