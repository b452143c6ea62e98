"""Hidden checks of exercise 184: fleet size.

The reference rows are the published ones for a 70B model in 16 bits: 546 sequences and 48 GPUs; with FP8 KV 1,093 and 24; at a
TPOT of 10 ms 172 and 72. The others were derived by hand in exact fractions, and again by simulating nothing but Little's law.
"""

from practice.kernel.expect import expect_close, expect_equal, expect_keys, expect_raises

KEYS = ["batch", "gpus", "instances", "limit", "requests_per_second", "step_seconds"]


def expect_row(plan, expected, idea):
    """Some keys of the answer at once."""
    expect_equal({key: plan[key] for key in expected}, expected, idea)


def check_example_keys(sub):
    """The answer is a dict with the six keys"""
    expect_keys(sub.plan(20, 2000, 500, 0.05, 141e9, 327680), KEYS, "a dict with exactly the six keys of the prompt")


def check_example_small_demand(sub):
    """The worked example: 20 requests/s need one instance of eight GPUs"""
    plan = sub.plan(20, 2000, 500, 0.05, 141e9, 327680)
    expect_equal(plan["instances"], 1, "one instance serves 37.69 requests/s at 70 % load")
    expect_equal(plan["gpus"], 8, "an instance is 8 GPUs")


def check_two_limits(sub):
    """Memory and TPOT hold at the same time"""
    # One GPU of 100.5 GB with hardly any weights, sequences of 1e9 bytes; the answer is so short that its length does not matter.
    one = dict(gpus_per_instance=1, gpu_bytes=100.5e9, gpu_bandwidth=1e12, utilization=1.0, reserved_bytes=0)
    plan = sub.plan(1, 999, 2, 0.05, 0.1e9, 1e6, **one)
    expect_equal(plan["batch"], 49, "TPOT allows 49 and memory 100; both limits hold at once, so take the smaller")
    plan = sub.plan(1, 999, 2, 0.2, 0.1e9, 1e6, **one)
    expect_equal(plan["batch"], 100, "TPOT allows 199 and memory 100; both limits hold at once, so take the smaller")


def check_kv_memory(sub):
    """What is left for KV: utilization, reserve, weights"""
    # Sequences of 1e9 bytes again: the batch is the KV memory in GB.
    roomy = dict(gpu_bytes=100.5e9, gpu_bandwidth=1e15)
    plan = sub.plan(1, 999, 2, 1.0, 40e9, 1e6, gpus_per_instance=1, utilization=1.0, reserved_bytes=0, **roomy)
    expect_equal(plan["batch"], 60, "the weights live in the same memory as the KV cache: 100.5 GB - 40 GB")
    plan = sub.plan(1, 999, 2, 1.0, 40e9, 1e6, gpus_per_instance=1, utilization=0.8, reserved_bytes=0, **roomy)
    expect_equal(plan["batch"], 40, "the engine may use only the share `utilization` of the memory: 80.4 GB - 40 GB")
    plan = sub.plan(1, 999, 2, 1.0, 40e9, 1e6, gpus_per_instance=4, utilization=0.8, reserved_bytes=10e9, **roomy)
    expect_equal(plan["batch"], 241, "the reserve is taken on every GPU, the weights once: 4 x (80.4 - 10) - 40 = 241.6 GB")


def check_mean_context(sub):
    """How many tokens a running sequence holds on average"""
    plan = sub.plan(1, 500, 1000, 1.0, 40e9, 1e6, gpus_per_instance=1, gpu_bytes=100e9, gpu_bandwidth=1e15, utilization=1.0, reserved_bytes=0)
    expect_equal(plan["batch"], 60, "averaged over its life a sequence holds its prompt and half of its answer: 500 + 1000 / 2 tokens")


def check_scheduler_cap(sub):
    """The cap on running sequences"""
    plan = sub.plan(20, 2000, 500, 0.05, 141e9, 327680, max_sequences=64)
    expect_equal(plan["batch"], 64, "the scheduler runs no more than max_sequences")
    plan = sub.plan(20, 2000, 500, 0.05, 141e9, 327680, max_sequences=1024)
    expect_equal(plan["batch"], 546, "a cap above the other limits changes nothing")


def check_limit_name(sub):
    """The binding limit by name"""
    expect_equal(sub.plan(20, 2000, 500, 0.05, 141e9, 327680)["limit"], "memory", "the limit that allows the fewest sequences binds")
    expect_equal(sub.plan(20, 2000, 500, 0.01, 141e9, 327680)["limit"], "tpot", "the limit that allows the fewest sequences binds")
    capped = sub.plan(20, 2000, 500, 0.05, 141e9, 327680, max_sequences=545)
    expect_equal(capped["limit"], "max_sequences", "the limit that allows the fewest sequences binds")
    tie = sub.plan(20, 2000, 500, 0.05, 141e9, 327680, max_sequences=546)
    expect_equal(tie["limit"], "memory", "of limits that allow equally many the first of memory, tpot, max_sequences is named")
    tie = sub.plan(20, 2000, 500, 0.01, 141e9, 327680, max_sequences=172)
    expect_equal(tie["limit"], "tpot", "of limits that allow equally many the first of memory, tpot, max_sequences is named")
    # 60.5 sequences by memory, 60.1 by TPOT: the same whole number.
    tie = sub.plan(1, 500, 1000, 100.1, 40e9, 1e6, gpus_per_instance=1, gpu_bytes=100.5e9, gpu_bandwidth=1e9, utilization=1.0, reserved_bytes=0)
    expect_equal(tie["limit"], "memory", "of limits that allow equally many whole sequences the first is named")


def check_step_and_rate(sub):
    """Step time, and requests per second of one instance"""
    plan = sub.plan(20, 2000, 500, 0.05, 141e9, 327680)
    expect_close(plan["step_seconds"], 543_554_880_000 / 26.8e12, "a step reads the weights once and the KV of the whole batch: 20.28 ms")
    expect_close(plan["requests_per_second"], 53.841113522888435, "a request stays for output_tokens steps: 546 / (500 x 20.28 ms)")
    plan = sub.plan(20, 2000, 500, 0.01, 141e9, 327680)
    expect_close(plan["step_seconds"], 0.00999299104477612, "a step reads the weights once and the KV of the whole batch: 9.993 ms")
    plan = sub.plan(20, 2000, 1, 0.05, 141e9, 327680, max_sequences=10)
    expect_close(plan["requests_per_second"], 10 / plan["step_seconds"], "one output token is one step")


def check_reference_rows(sub):
    """The published rows: 16-bit KV, FP8 KV, TPOT of 10 ms"""
    plan = sub.plan(200, 2000, 500, 0.05, 141e9, 327680)
    expect_row(plan, {"batch": 546, "instances": 6, "gpus": 48}, "200 / (53.84 x 0.7) = 5.31, in whole instances run at the load target")
    plan = sub.plan(200, 2000, 500, 0.05, 141e9, 163840)
    expect_row(plan, {"batch": 1093, "instances": 3, "gpus": 24}, "half the KV bytes, twice the batch: 200 / (107.7 x 0.7) = 2.65")
    plan = sub.plan(200, 2000, 500, 0.01, 141e9, 327680)
    expect_row(plan, {"batch": 172, "instances": 9, "gpus": 72}, "200 / (34.42 x 0.7) = 8.30, in whole instances")
    plan = sub.plan(200, 2000, 500, 0.05, 141e9, 327680, gpus_per_instance=4)
    expect_row(plan, {"batch": 177, "instances": 17, "gpus": 68}, "four GPUs hold the weights too, and have less left: 17 x 4")


def check_whole_quotients(sub):
    """Quotients that are whole numbers up to float noise"""
    # By exact fractions: memory 764, TPOT 700 sequences; 14 requests/s at 70 % load is 9.8; 245 / 9.8 is 25.
    plan = sub.plan(245, 2000, 1000, 0.05, 50e9, 200_000, gpu_bandwidth=1e12, utilization=0.7, reserved_bytes=2e9)
    expect_row(plan, {"batch": 700, "instances": 25}, "245 / 9.8 is 25, although floats say 25.000000000000004")
    # 4 x (32.8 - 4) - 39 = 76.2 GB for sequences of 0.2 GB.
    plan = sub.plan(
        10, 1500, 2000, 0.057, 39e9, 80_000, gpus_per_instance=4, gpu_bytes=40e9, gpu_bandwidth=1e12, utilization=0.82
    )
    expect_equal(plan["batch"], 381, "76.2 GB / 0.2 GB is 381, although floats say 380.99999999999994")


def check_infeasible(sub):
    """Requests that no fleet of these GPUs can serve"""
    expect_raises(
        ValueError, lambda: sub.plan(20, 2000, 500, 0.05, 141e9, 327680, gpus_per_instance=2), "141 GB of weights leave no memory on 2 GPUs", says="memory"
    )
    expect_raises(ValueError, lambda: sub.plan(20, 2000, 500, 0.005, 141e9, 327680), "the weights alone take 5.26 ms a step", says="tpot")
    expect_raises(
        ValueError,
        lambda: sub.plan(20, 2000, 500, 0.005, 141e9, 327680, gpus_per_instance=2),
        "where both fail the memory is named",
        says="memory",
    )


def check_infeasible_borders(sub):
    """Just fitting and just not fitting"""
    one = dict(gpus_per_instance=1, gpu_bytes=100e9, utilization=1.0, reserved_bytes=0)
    plan = sub.plan(1, 500, 1000, 1.0, 98.5e9, 1e6, gpu_bandwidth=1e12, **one)
    expect_equal(plan["batch"], 1, "a request of 1,500 tokens fits exactly at its full length")
    expect_raises(
        ValueError,
        lambda: sub.plan(1, 500, 1000, 1.0, 98.6e9, 1e6, gpu_bandwidth=1e12, **one),
        "the average sequence fits, but a request at its full length does not",
        says="memory",
    )
    plan = sub.plan(1, 500, 1000, 0.0995, 98.5e9, 1e6, gpu_bandwidth=1e12, **one)
    expect_equal(plan["batch"], 1, "a step of exactly the TPOT meets it")
    expect_raises(
        ValueError,
        lambda: sub.plan(1, 500, 1000, 0.099, 98.5e9, 1e6, gpu_bandwidth=1e12, **one),
        "the weights can be read in time, but not together with one sequence",
        says="tpot",
    )


def check_random(sub, ref, rng):
    """A hundred random fleets, compared with the reference"""
    for _ in range(100):
        args = (
            rng.uniform(1, 500), rng.randrange(1, 32_000), rng.randrange(1, 4000), rng.uniform(0.01, 0.2),
            rng.uniform(5e9, 200e9), rng.choice([57_344, 70_272, 114_688, 163_840, 327_680]),
        )  # fmt: skip
        options = dict(
            gpus_per_instance=rng.choice([1, 2, 4, 8]), gpu_bytes=rng.choice([24e9, 80e9, 141e9]), gpu_bandwidth=rng.choice([1e12, 3.35e12, 4.8e12]),
            utilization=rng.uniform(0.7, 1.0), reserved_bytes=rng.uniform(0, 5e9), load_target=rng.uniform(0.5, 1.0),
            max_sequences=rng.choice([None, 1, 32, 256]),
        )  # fmt: skip
        try:
            expected = ref.plan(*args, **options)
        except ValueError as error:
            reason = "memory" if "memory" in str(error) else "tpot"
            expect_raises(ValueError, lambda: sub.plan(*args, **options), "this request cannot be served", says=reason)
            continue
        got = sub.plan(*args, **options)
        for key in ("batch", "limit", "instances", "gpus"):
            expect_equal(got[key], expected[key], f"`{key}` of a random fleet")
        for key in ("step_seconds", "requests_per_second"):
            expect_close(got[key], expected[key], f"`{key}` of a random fleet")
