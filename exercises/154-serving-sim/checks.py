"""Hidden checks of exercise 154: a serving simulator and its knee. The judge's own simulator gives the expected values."""

import random

from practice.kernel.expect import expect_close, expect_equal, expect_raises
from practice.sim import Request, Setup
from practice.sim import knee as sim_knee
from practice.sim import simulate as sim_simulate
from practice.sim import step_time as sim_step_time

EXAMPLE = {
    "params": 1e9, "weight_bytes": 2e9, "kv_bytes_per_token": 1e5, "kv_capacity_tokens": 10_000, "peak_flops": 1e14,
    "bandwidth": 1e12, "mfu": 0.5, "step_overhead": 0.001, "max_num_batched_tokens": 512, "max_num_seqs": 4,
}
# Qwen2.5-7B in 16 bits on one H100.
H100 = {
    "params": 7.6e9, "weight_bytes": 15.2e9, "kv_bytes_per_token": 57_344, "kv_capacity_tokens": 959_123, "peak_flops": 989e12,
    "bandwidth": 3.35e12, "mfu": 0.5, "step_overhead": 0.5e-3, "max_num_batched_tokens": 8192, "max_num_seqs": 256,
}
# A dense 70B in 8 bits on eight H100.
NODE = {
    "params": 70.6e9, "weight_bytes": 70.6e9, "kv_bytes_per_token": 163_840, "kv_capacity_tokens": 3_084_716, "peak_flops": 8 * 1979e12,
    "bandwidth": 8 * 3.35e12, "mfu": 0.4, "step_overhead": 1.5e-3, "max_num_batched_tokens": 8192, "max_num_seqs": 512,
}
# Every step takes exactly half a second, whatever runs in it.
HALF = {
    "params": 2.0**-40, "weight_bytes": 0.25, "kv_bytes_per_token": 2.0**-60, "kv_capacity_tokens": 100, "peak_flops": 2.0,
    "bandwidth": 1.0, "mfu": 0.5, "step_overhead": 0.25, "max_num_batched_tokens": 16, "max_num_seqs": 4,
}


def expected_records(setup, requests):
    """What the judge's simulator says, in the form of this exercise."""
    workload = [Request(*request) for request in requests]
    records = sim_simulate(Setup(**setup), workload=workload, engine="exact")
    return [(record.arrival, record.output_len, record.first_token, record.finish) for record in records]


def expect_times(sub, setup, requests, times, idea):
    """Compare (first_token, finish) of each request."""
    records = [(arrival, output_len, *pair) for (arrival, _, output_len), pair in zip(requests, times)]
    expect_close(sub.simulate(setup, requests), records, idea)


def check_example_step(sub):
    """Two steps of the worked example"""
    expect_close(sub.step_time(EXAMPLE, 512, 0), 0.02148, "512 tokens are bound by computing")
    expect_close(sub.step_time(EXAMPLE, 1, 1001), 0.0031001, "one token is bound by reading weights and KV")


def check_example_one_request(sub):
    """The worked example of the prompt"""
    expect_close(sub.simulate(EXAMPLE, [(2.0, 1000, 3)]), [(2.0, 3, 2.042, 2.0482003)], "two chunks of the prompt, two decode steps")


def check_step_time(sub, rng):
    """Random steps, bound by computing or by memory"""
    for setup in (EXAMPLE, H100, NODE):
        for _ in range(10):
            tokens, context = rng.randrange(0, 600), rng.randrange(0, 900_000)
            idea = "the slower of the two, plus the overhead"
            expect_close(sub.step_time(setup, tokens, context), sim_step_time(Setup(**setup), tokens, context), idea)


def check_arrivals(sub):
    """Poisson arrivals"""
    draws, now, expected = random.Random(7), 0.0, []
    for _ in range(50):
        now += draws.expovariate(4.0)
        expected.append(now)
    expect_close(sub.arrivals(4.0, 50, 7), expected, "a Poisson process: the running sum of expovariate(rate) from one random.Random(seed)")
    expect_equal(len(sub.arrivals(0.5, 1, 0)), 1, "num_requests arrivals")


def check_time_in_the_queue(sub):
    """Three requests at once, one slot"""
    requests = [(0.0, 8, 2), (0.0, 8, 2), (0.25, 8, 2)]
    idea = "one runs at a time, and a request waits since its arrival, not since its admission"
    expect_times(sub, {**HALF, "max_num_seqs": 1}, requests, [(0.5, 1.0), (1.5, 2.0), (2.5, 3.0)], idea)


def check_arrival_during_a_step(sub):
    """Arrivals during, at the start of, and long after a step"""
    idea = "who arrives during a step is looked at when the next one starts"
    expect_times(sub, HALF, [(0.0, 8, 3), (0.125, 8, 1)], [(0.5, 1.5), (1.0, 1.0)], idea)
    idea = "an arrival exactly at the start of a step can be admitted in it"
    expect_times(sub, HALF, [(0.0, 8, 3), (0.5, 8, 1)], [(0.5, 1.5), (1.0, 1.0)], idea)
    idea = "an engine without work jumps to the next arrival"
    expect_times(sub, HALF, [(1.25, 8, 1), (7.0, 8, 2)], [(1.75, 1.75), (7.5, 8.0)], idea)
    expect_equal(sub.simulate(HALF, []), [], "no requests")


def check_budget_is_shared(sub):
    """Decode and prefill in one budget"""
    setup = {**HALF, "max_num_batched_tokens": 8, "max_num_seqs": 8}
    # Step 1: a 8. Step 2: a decodes, b 7 of 15. Step 3: a decodes, b 7 of 8. Step 4: a decodes, b 1, c 6 of 6.
    requests = [(0.0, 8, 6), (0.125, 15, 1), (0.25, 6, 1)]
    idea = "decode tokens come out of the budget of 8 first; the head of the queue gets the rest of it as a chunk"
    expect_times(sub, setup, requests, [(0.5, 3.0), (2.0, 2.0), (2.0, 2.0)], idea)


def check_final_length_is_reserved(sub):
    """KV capacity for one request and a half"""
    idea = "the final length, 10 + 50, is reserved: two of them do not fit into 100 tokens together"
    expect_times(sub, HALF, [(0.0, 10, 50), (0.0, 10, 50)], [(0.5, 25.0), (25.5, 50.0)], idea)
    idea = "the final lengths 60 and 40 fill 100 tokens exactly"
    expect_times(sub, HALF, [(0.0, 10, 50), (0.0, 6, 34)], [(0.5, 25.0), (0.5, 17.0)], idea)


def check_one_token_gives_back(sub):
    """Requests that finish with their prompt"""
    idea = "a request with one token is finished with its prompt, and its 61 tokens of KV are free for the next step"
    expect_times(sub, HALF, [(0.0, 60, 1), (0.0, 60, 1), (0.0, 60, 1)], [(2.0, 2.0), (4.0, 4.0), (6.0, 6.0)], idea)
    idea = "50 + 51 tokens do not fit into 100, whoever was there before"
    expect_times(sub, HALF, [(0.0, 4, 1), (1.0, 6, 44), (1.0, 6, 45)], [(0.5, 0.5), (1.5, 23.0), (23.5, 45.5)], idea)


def check_head_blocks(sub):
    """A small request behind a large one"""
    requests = [(0.0, 10, 50), (0.0, 10, 50), (0.0, 2, 2)]
    # The small one would fit beside the first, and gets in with the second, when the first has left.
    idea = "nobody behind the head is admitted while the head does not fit"
    expect_times(sub, HALF, requests, [(0.5, 25.0), (25.5, 50.0), (25.5, 26.0)], idea)


def check_context_of_prompts(sub):
    """A long prompt in small chunks"""
    setup = {**EXAMPLE, "kv_bytes_per_token": 1e8, "max_num_batched_tokens": 4}
    requests = [(0.0, 12, 2)]
    # Bound by memory: contexts 0, 4, 8 and then 13 tokens of 0.1 ms over 2 ms of weights and 1 ms of overhead.
    idea = "the context includes the computed part of an unfinished prompt: 0, 4 and 8 tokens before the three chunks"
    expect_times(sub, setup, requests, [(0.0102, 0.0145)], idea)


def check_never_fits(sub):
    """A request larger than the KV cache"""
    expect_raises(ValueError, lambda: sub.simulate(HALF, [(0.0, 8, 2), (0.0, 51, 50)]), "101 tokens never fit into 100")
    idea = "100 tokens fit exactly into 100, in seven chunks of the prompt"
    expect_times(sub, HALF, [(0.0, 98, 2)], [(3.5, 4.0)], idea)


def random_case(rng):
    setup = dict(H100)
    setup["kv_capacity_tokens"] = rng.randrange(400, 3_000)
    setup["kv_bytes_per_token"] = rng.choice([1e5, 2e7])
    setup["max_num_batched_tokens"] = rng.choice([1, 3, 16, 64, 512])
    setup["max_num_seqs"] = rng.choice([1, 2, 5, 64])
    now, requests = 0.0, []
    for _ in range(rng.randrange(1, 30)):
        now += rng.choice([0.0, 0.0, rng.expovariate(20), rng.expovariate(0.3)])
        requests.append((now, rng.randrange(1, 250), rng.randrange(1, 150)))
    return setup, requests


def check_random(sub, rng):
    """Random workloads, compared with the judge's simulator"""
    for _ in range(25):
        setup, requests = random_case(rng)
        kept = (dict(setup), list(requests))
        got = sub.simulate(setup, requests)
        expect_close(got, expected_records(*kept), "the four rules of the prompt, in their order")
        expect_equal((setup, requests), kept, "the arguments must not be changed")


def check_goodput(sub):
    """Requests that meet both limits"""
    records = [(1.0, 5, 2.0, 4.0), (1.0, 5, 2.25, 3.25), (2.0, 5, 2.5, 4.75), (2.0, 1, 3.0, 3.0), (3.0, 1, 4.5, 4.5)]
    # The first and the fourth; the duration is 4.75 - 1.0.
    expect_close(sub.goodput(records, 1.0, 0.5), (2 / 3.75, 0.4), "late requests do not count; limits are included; one token has no TPOT")
    expect_close(sub.goodput(records[4:], 1.0, 0.5), (0.0, 0.0), "a single late request")
    idea = "the duration ends with the last finish, in whatever order"
    expect_close(sub.goodput([(0.0, 3, 0.5, 1.0), (0.0, 3, 0.5, 4.0)][::-1], 1.0, 0.5), (0.25, 0.5), idea)


def check_published_overload(sub):
    """A 7B model on one H100 at 20 and at 25 requests per second"""
    for rate, per_second, share in ((20.0, 19.39961898284224, 1.0), (25.0, 8.190175572272526, 0.3425)):
        draws, now, requests = random.Random(0), 0.0, []
        for _ in range(2000):
            now += draws.expovariate(rate)
            requests.append((now, 1024, 256))
        records = sub.simulate(H100, requests)
        expect_close(sub.goodput(records, 1.0, 0.04), (per_second, share), "beyond the knee goodput falls, though throughput does not")


def check_bracket(sub):
    """The knee within a given bracket"""
    for low, high, halvings, seed in ((1.0, 40.0, 5, 0), (1.0, 80.0, 6, 0), (10.0, 30.0, 4, 3)):
        expected = sim_knee(Setup(**H100), (1.0, 0.04), 1024, 256, low=low, high=high, halvings=halvings, num_requests=300, seed=seed)
        got = sub.knee(H100, 1024, 256, 1.0, 0.04, 300, low, high, halvings, seed)
        expect_close(got, expected, f"the bracket from {low:g} to {high:g} and its middles decide which rates are tried")


def check_ends_of_the_bracket(sub):
    """Brackets in which all rates pass, none does, or only the lowest"""
    got = sub.knee(H100, 1024, 256, 1.0, 0.04, 100, 1.0, 9.0, 3, 0)
    expect_close(got, 8.0, "5, 7 and 8 pass; the given high itself is not tried")
    got = sub.knee(H100, 1024, 256, 0.001, 0.04, 50, 1.0, 9.0, 3, 0)
    expect_close(got, 0.0, "5, 3, 2 and then low itself do not pass: low was never tried in the bisection, so try it before returning it")
    # 32.0 ms alone; two prompts in one step take longer than 33 ms, so only a rate at which requests hardly ever meet passes.
    limit = 0.0330
    expected = sim_knee(Setup(**H100), (limit, 0.04), 1024, 1, low=0.001, high=400.0, halvings=3, num_requests=50, seed=0)
    got = sub.knee(H100, 1024, 1, limit, 0.04, 50, 0.001, 400.0, 3, 0)
    expect_close(got, expected, "of all rates only low passes, and so it is the answer")


def check_published_knee(sub):
    """The knee of a 7B model on one H100"""
    expect_close(sub.knee(H100, 1024, 256, 1.0, 0.04, 2000, 1.0, 40.0, 12, 0), 22.556640625, "22.6 requests/s in the bracket from 1 to 40")


def check_published_knee_of_a_node(sub):
    """The knee of a 70B model on eight H100"""
    idea = "16.8 requests/s in the bracket from 1 to 60"
    expect_close(sub.knee(NODE, 2000, 500, 2.0, 0.05, 1500, 1.0, 60.0, 12, 0), 16.75830078125, idea)
