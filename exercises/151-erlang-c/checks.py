"""Hidden checks of exercise 151: how many servers for a wait budget."""

from fractions import Fraction
from math import factorial

from practice.kernel.expect import expect_close, expect_equal, expect_raises


def exact_c(servers, utilisation):
    """Erlang C by its definition, in exact fractions: a second way that shares nothing with the recurrence."""
    rho = Fraction(utilisation)
    load = servers * rho
    top = load**servers / factorial(servers) / (1 - rho)
    total = scale = 1  # total / scale: the sum of load**k / k! below `servers`, from its end, without a gcd per term
    for k in range(servers - 1, 0, -1):
        scale *= k * load.denominator
        total = scale + load.numerator * total
    return top / (Fraction(total, scale) + top)


def check_example_servers(sub):
    """The worked example of the prompt"""
    expect_equal(sub.servers_needed(10.0, 0.05, 0.010), 2, "one server waits 50 ms, two wait 3.3 ms")


def check_reference_value(sub):
    """Four servers at 70%"""
    idea = "four servers at 70% make 43 of 100 requests wait: a request waits instead of leaving, and only when all four are busy"
    expect_close(sub.wait_probability(4, 0.7), float(exact_c(4, 0.7)), idea)


def check_one_server(sub):
    """One server, where the formulas are short"""
    expect_close(sub.wait_probability(1, 0.8), 0.8, "one server is busy with probability 0.8")
    expect_close(sub.mean_wait(1, 0.5, 2.0), 2.0, "M/M/1: service * rho / (1 - rho)")
    expect_close(sub.mean_wait(1, 0.9, 0.1), 0.9, "M/M/1: service * rho / (1 - rho)")


def check_mean_wait(sub):
    """The wait of four servers, at 70% and at 95%"""
    idea = "3.57 ms: the average is over all requests, also those that do not wait"
    expect_close(sub.mean_wait(4, 0.7, 0.010), float(exact_c(4, 0.7)) * 0.010 / (4 * (1 - 0.7)), idea)
    idea = "44.6 ms: near full load the wait explodes"
    expect_close(sub.mean_wait(4, 0.95, 0.010), float(exact_c(4, 0.95)) * 0.010 / (4 * (1 - 0.95)), idea)


def check_idle(sub):
    """A pool without load"""
    expect_equal(sub.wait_probability(3, 0.0), 0.0, "without load nobody waits")
    expect_equal(sub.mean_wait(3, 0, 1.0), 0.0, "without load nobody waits")


def check_max_utilisation(sub):
    """The utilisation that a wait budget allows"""
    expect_close(sub.max_utilisation(1, 1.0, 1.0), 0.5, "the largest utilisation of one server: rho / (1 - rho) = 1", rel=1e-6)
    expect_close(sub.max_utilisation(1, 3.0, 1.0), 0.25, "the largest utilisation of one server: rho / (1 - rho) = 1/3", rel=1e-6)
    got = sub.max_utilisation(16, 0.010, 0.005)
    expect_close(got, 0.9180202467, "the largest utilisation at which 16 servers wait 5 ms on average", rel=1e-6)
    expect_close(sub.max_utilisation(2, 1.0, 1e-6), 1e-3, "two servers wait rho**2 / (1 - rho**2): hardly any load is allowed", rel=1e-6)


def check_whole_load(sub):
    """A load of exactly ten servers"""
    # 12 servers wait 11.23 ms on average, 13 wait 4.75 ms.
    expect_equal(sub.servers_needed(200.0, 0.05, 0.010), 13, "10 servers would be full; 12 wait 11.2 ms, 13 wait 4.8 ms")
    expect_equal(sub.servers_needed(8.0, 0.5, 1000.0), 5, "a load of 4 needs a fifth server, however patient the users are")


def check_overload(sub):
    """A utilisation of 1 and more"""
    for utilisation in (1.0, 1, 1.25, -0.1):
        idea = "the queue grows without bound at 1; below 0 there is no load"
        expect_raises(ValueError, lambda: sub.wait_probability(4, utilisation), idea)
        idea = "the queue grows without bound at 1; below 0 there is no load"
        expect_raises(ValueError, lambda: sub.mean_wait(4, utilisation, 1.0), idea)


def check_against_fractions(sub, rng):
    """Random pools, compared with the definition in exact fractions"""
    for _ in range(25):
        servers, utilisation = rng.randrange(1, 61), rng.randrange(1, 128) / 128
        expect_close(sub.wait_probability(servers, utilisation), float(exact_c(servers, utilisation)), "C = T / (S + T)")


def check_many_servers(sub):
    """Five hundred servers, and five thousand"""
    idea = "a**c and c! are beyond floats here; build their ratio step by step"
    expect_close(sub.wait_probability(500, 0.95), float(exact_c(500, 0.95)), idea)
    idea = "a**c and c! are beyond floats here; build their ratio step by step"
    expect_close(sub.wait_probability(500, 0.5), float(exact_c(500, 0.5)), idea)
    expect_close(sub.wait_probability(5000, 0.99), 0.36609821942, "five thousand servers at 99%")
    idea = "a thousand servers, a wait of a thousandth of the service"
    expect_close(sub.max_utilisation(1000, 1.0, 0.001), 0.94661885755, idea, rel=1e-6)


def check_random(sub, ref, rng):
    """Random pools, compared with the reference"""
    for _ in range(25):
        servers, service = rng.randrange(1, 400), rng.uniform(0.001, 10)
        utilisation, budget = rng.uniform(0, 0.999), service * rng.uniform(0.001, 2)
        idea = "C * service / (c * (1 - rho))"
        expect_close(sub.mean_wait(servers, utilisation, service), ref.mean_wait(servers, utilisation, service), idea, abs=1e-300)
        idea = "bisect on the mean wait"
        expect_close(sub.max_utilisation(servers, service, budget), ref.max_utilisation(servers, service, budget), idea, rel=1e-6)
        rate = servers * utilisation / service + 0.01
        needed = ref.servers_needed(rate, service, budget)
        load = rate * service
        waits = [ref.mean_wait(c, load / c, service) for c in (needed - 1, needed) if load < c]
        if all(abs(wait / budget - 1) > 1e-6 for wait in waits):
            expect_equal(sub.servers_needed(rate, service, budget), needed, "the fewest servers within the budget")
