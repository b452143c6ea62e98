"""Hidden checks of exercise 150: requests in flight by Little's law."""

from practice.kernel.expect import expect_close, expect_equal

BIG = 10**15


def check_example_plan(sub):
    """The worked example of the prompt"""
    got = sub.plan(4, 0, 2000, 0, 1000, 1, 100_000, slots=8, kv_bytes=10**9, gpus_per_instance=8)
    expected = {"in_flight": 8.0, "running": 8.0, "kv_bytes": 800_000_000.0, "instances": 1, "gpus": 8}
    expect_close(got, expected, "see the arithmetic of the prompt")


def check_example_in_flight(sub):
    """Four requests a second that stay for two seconds"""
    expect_close(sub.in_flight(4, 0, 2000, 0, 1), 8.0, "L = rate * time in the system")


def check_first_token(sub):
    """A single token"""
    expect_close(sub.in_flight(10, 0, 400, 50, 1), 4.0, "the first token comes with the prefill; one token takes no decode step")
    expect_close(sub.in_flight(10, 0, 400, 50, 13), 10.0, "after the first token there are 12 more, 50 ms each")


def check_waiting_counts(sub):
    """A queue in front of the engine"""
    idea = "waiting requests are in the system too, and queue_ms is in milliseconds: 10 * (0.2 + 0.3) s"
    expect_close(sub.in_flight(10, 200, 300, 0, 1), 5.0, idea)
    # 50 requests/s, 0.5 s in the queue, 0.3 s prefill, 249 steps of 40 ms = 9.96 s: 50 * 10.76.
    got = sub.plan(50, 500, 300, 40, 2000, 250, 1, slots=64, kv_bytes=BIG, gpus_per_instance=8)
    expect_close(got["in_flight"], 538.0, "waiting requests are in the system too: 50 * (0.5 + 0.3 + 9.96) s")


def check_waiting_takes_no_slot(sub):
    """Slots and memory are taken at admission"""
    got = sub.plan(50, 500, 300, 40, 2000, 1, 1000, slots=8, kv_bytes=BIG, gpus_per_instance=8)
    expect_close(got["running"], 15.0, "a waiting request holds no slot: 50 * 0.3 s")
    expect_close(got["kv_bytes"], 30e6, "a waiting request holds no slot and no KV: 50 * 0.3 s * 2000 tokens * 1000 bytes")
    expect_equal(got["instances"], 2, "15 running requests in instances of 8 slots")


def check_gpus(sub):
    """Many requests on few GPUs"""
    got = sub.plan(50, 0, 300, 40, 2000, 250, 1, slots=64, kv_bytes=BIG, gpus_per_instance=8)
    expect_equal(got["instances"], 9, "513 running requests in instances of 64 slots")
    expect_equal(got["gpus"], 72, "513 requests run, but not a GPU each: 64 of them share the 8 of an instance")


def check_kv_grows(sub):
    """The KV cache of a long answer"""
    got = sub.plan(1, 0, 0, 1000, 0, 5, 1, slots=8, kv_bytes=BIG, gpus_per_instance=1)
    expect_close(got["kv_bytes"], 10.0, "the KV of an answer grows: 1 + 2 + 3 + 4 tokens for a second each")
    got = sub.plan(2, 0, 500, 50, 1000, 201, 163_840, slots=8, kv_bytes=BIG, gpus_per_instance=1)
    # 10.5 s * 1000 tokens + 0.05 s * 200 * 201 / 2 tokens = 11,505 token-seconds.
    expect_close(got["kv_bytes"], 2 * 11_505 * 163_840, "the KV of an answer grows: on average about half of it is there")


def check_kv_decides(sub):
    """Memory needs more instances than slots"""
    got = sub.plan(10, 0, 1000, 0, 5000, 1, 1000, slots=256, kv_bytes=12_000_000, gpus_per_instance=2)
    idea = "10 requests hold 50 MB of KV memory, and an instance has 12 MB; slots alone would need 1"
    expect_equal(got["instances"], 5, idea, strict=True)
    expect_equal(got["gpus"], 10, "5 instances of 2 GPUs", strict=True)
    got = sub.plan(10, 0, 1000, 0, 5000, 1, 1000, slots=3, kv_bytes=49_999_999, gpus_per_instance=2)
    expect_equal(got["instances"], 4, "10 requests in instances of 3 slots; the KV memory alone would need 2")


def check_exactly_full(sub):
    """Demands that fill their instances exactly, and just over"""
    got = sub.plan(110, 0, 1100, 0, 1, 1, 1, slots=11, kv_bytes=BIG, gpus_per_instance=1)
    expect_equal(got["instances"], 11, "121 running requests are exactly full in 11 instances of 11 slots")
    got = sub.plan(3, 0, 100, 0, 10, 1, 1, slots=1, kv_bytes=1, gpus_per_instance=1)
    expect_equal(got["instances"], 3, "3 bytes on average are exactly full in 3 instances of 1 byte")
    got = sub.plan(110, 0, 1101, 0, 1, 1, 1, slots=11, kv_bytes=BIG, gpus_per_instance=1)
    expect_equal(got["instances"], 12, "121.11 running requests are more than 11 instances of 11 slots hold")


def check_no_traffic(sub):
    """No traffic, or requests that take no time"""
    got = sub.plan(0, 100, 1000, 10, 100, 100, 1, slots=8, kv_bytes=1, gpus_per_instance=8)
    expect_equal(got, {"in_flight": 0.0, "running": 0.0, "kv_bytes": 0.0, "instances": 0, "gpus": 0}, "nobody arrives, nothing is needed")
    expect_equal(sub.in_flight(10, 0, 0, 10, 1), 0.0, "a stay of no time")


def check_random(sub, ref, rng):
    """Random services, compared with the reference"""
    for _ in range(60):
        args = [rng.randrange(0, 300), rng.randrange(0, 3000), rng.randrange(0, 3000), rng.randrange(0, 100)]
        args += [rng.randrange(0, 5000), rng.randrange(1, 2000), rng.choice([57_344, 70_272, 327_680])]
        size = {"slots": rng.randrange(1, 300), "kv_bytes": rng.randrange(10**9, 10**11), "gpus_per_instance": rng.choice([1, 2, 4, 8])}
        expect_close(sub.plan(*args, **size), ref.plan(*args, **size), "the same law around the system, the engine and the memory")
