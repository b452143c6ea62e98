"""Hidden checks of exercise 183: roofline of a step."""

from practice.kernel.expect import expect_close, expect_equal

H100 = {"peak_flops": 989e12, "memory_bandwidth": 3350e9}
UNIT = {"peak_flops": 1e12, "memory_bandwidth": 1e12, "link_bandwidth": 1e11}  # seconds are easy to see
DECODE = {**H100, "mfu": 0.5, "messages": 160, "message_latency": 10e-6}


def expect_step(got, seconds, bottleneck, idea):
    """Both parts of an answer."""
    expect_close(got[0], seconds, f"the time: {idea}")
    expect_equal(got[1], bottleneck, f"the bottleneck: {idea}")


def check_example_compute(sub):
    """Nothing but computing"""
    expect_step(sub.roofline_step(989e12, 0, **H100), 1.0, "compute", "one second's worth of FLOP")


def check_example_memory(sub):
    """Nothing but reading"""
    expect_step(sub.roofline_step(0, 6.7e12, **H100), 2.0, "memory", "two seconds' worth of bytes")


def check_compute_and_memory(sub):
    """Computing and reading at the same time"""
    both = "reading overlaps with computing, so the step takes the longer of the two, not the sum"
    expect_step(sub.roofline_step(3e12, 2e12, **UNIT), 3.0, "compute", both)
    expect_step(sub.roofline_step(1e12, 4e12, **UNIT), 4.0, "memory", both)


def check_mfu(sub):
    """A share of the peak"""
    got = sub.roofline_step(1e12, 3e12, **UNIT, mfu=0.5)
    expect_step(got, 3.0, "memory", "mfu is a share of the peak FLOP/s and does not slow reading down")
    expect_step(sub.roofline_step(1e12, 1e12, **UNIT, mfu=0.25), 4.0, "compute", "a quarter of the peak takes four times as long")


def check_communication(sub):
    """Bytes and latency of messages"""
    expect_step(sub.roofline_step(0, 0, 3e11, **UNIT), 3.0, "communication", "bytes over the bandwidth of the link")
    got = sub.roofline_step(0, 0, 1e11, **UNIT, messages=40, message_latency=0.1)
    expect_step(got, 5.0, "communication", "every message pays the latency, and the bytes come on top: 40 x 0.1 + 1")
    expect_step(sub.roofline_step(0, 0, 0, **UNIT, messages=1, message_latency=0.5), 0.5, "communication", "a message without bytes still pays its latency")


def check_defaults(sub):
    """Arguments that are left out"""
    expect_step(sub.roofline_step(1e12, 0, 1e15, peak_flops=1e12, memory_bandwidth=1e12), 1.0, "compute", "without a link_bandwidth bytes on the link cost nothing")
    got = sub.roofline_step(1e12, 0, peak_flops=1e12, memory_bandwidth=1e12, link_bandwidth=1.0)
    expect_step(got, 1.0, "compute", "nothing to send, however slow the link")
    expect_step(sub.roofline_step(1e12, 0, 0, **UNIT, message_latency=5.0), 1.0, "compute", "no messages, no latency")
    expect_step(sub.roofline_step(1e12, 0, 0, **UNIT, messages=5), 1.0, "compute", "no latency is given, and no bytes")


def check_without_overlap(sub):
    """Communication after the rest"""
    wait = "without overlap the GPU waits for the communication after computing and reading"
    expect_step(sub.roofline_step(2e12, 3e12, 1e11, **UNIT), 4.0, "memory", wait)
    expect_step(sub.roofline_step(2e12, 1e12, 5e11, **UNIT), 7.0, "communication", wait)


def check_with_overlap(sub):
    """Communication beside the rest"""
    hide = "with overlap the longest of the three hides the others"
    expect_step(sub.roofline_step(2e12, 3e12, 1e11, **UNIT, overlap=True), 3.0, "memory", hide)
    expect_step(sub.roofline_step(2e12, 1e12, 5e11, **UNIT, overlap=True), 5.0, "communication", hide)


def check_bottleneck_is_a_term(sub):
    """The bottleneck where communication adds up"""
    got = sub.roofline_step(3e12, 3.5e12, 4e11, **UNIT)
    expect_step(got, 7.5, "communication", "4 s of communication are longer than 3.5 s of reading: compare the single terms")
    got = sub.roofline_step(3e12, 2e12, 2.5e11, **UNIT)
    expect_step(got, 5.5, "compute", "2.5 s of communication are shorter than 3 s of computing, although they are waited for")


def check_ties(sub):
    """Equal terms"""
    order = "of equal terms the first of compute, memory, communication is named"
    expect_step(sub.roofline_step(2e12, 2e12, 0, **UNIT), 2.0, "compute", order)
    expect_step(sub.roofline_step(1e12, 2e12, 2e11, **UNIT), 4.0, "memory", order)
    expect_step(sub.roofline_step(2e12, 1e12, 2e11, **UNIT, overlap=True), 2.0, "compute", order)
    expect_step(sub.roofline_step(0, 0, 0, **UNIT), 0.0, "compute", "nothing to do: all three are 0")


def check_nearly_equal(sub):
    """Terms that differ by float noise"""
    got = sub.roofline_step(0, 0.3e12, 0, **UNIT, messages=3, message_latency=0.1)
    expect_step(got, 0.6, "memory", "3 x 0.1 is 0.30000000000000004 in floats, and equal to 0.3 by the prompt's 1e-9")
    got = sub.roofline_step(2e12, 2.00000001e12, 0, **UNIT)
    expect_step(got, 2.00000001, "memory", "a difference of 5e-9 is one")


def check_worked_example(sub):
    """The worked example: 70B on eight GPUs"""
    got = sub.roofline_step(5.64e11, 22.99e9, **DECODE)
    expect_step(got, 22.99 / 3350 + 0.0016, "memory", "8.463 ms: reading, then 160 messages of 10 microseconds")
    got = sub.roofline_step(5.64e11, 22.99e9, **DECODE, overlap=True)
    expect_step(got, 22.99 / 3350, "memory", "6.863 ms: the messages are hidden")


def check_random(sub, ref, rng):
    """Two hundred random steps, compared with the reference"""
    for _ in range(200):
        work = [rng.choice([0, rng.uniform(0, 1e12)]) for _ in range(3)]
        options = dict(
            peak_flops=rng.uniform(1e11, 1e13), memory_bandwidth=rng.uniform(1e11, 1e13), link_bandwidth=rng.uniform(1e11, 1e13), mfu=rng.uniform(0.2, 1),
            messages=rng.randrange(0, 200), message_latency=rng.uniform(0, 1e-3), overlap=rng.random() < 0.5,
        )  # fmt: skip
        expect_step(sub.roofline_step(*work, **options), *ref.roofline_step(*work, **options), "a random step")
