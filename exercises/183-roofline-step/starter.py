"""Exercise 183: roofline of a step, with communication."""

import math


def roofline_step(
    flops,
    memory_bytes,
    comm_bytes=0,
    *,
    peak_flops,
    memory_bandwidth,
    link_bandwidth=math.inf,
    mfu=1.0,
    messages=0,
    message_latency=0.0,
    overlap=False,
):
    """Seconds of a step, and the name of its longest term.

    flops, memory_bytes, comm_bytes: work of one GPU in this step.
    peak_flops, memory_bandwidth, link_bandwidth: of one GPU, per second.
    mfu: share of peak_flops that is reached.
    messages, message_latency: number of messages, and seconds each costs besides its bytes.
    overlap: whether communication runs beside computing and memory.
    Returns (seconds, "compute" | "memory" | "communication").
    """
    raise NotImplementedError
