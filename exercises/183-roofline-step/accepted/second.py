"""Roofline of a step: three terms in a dict, its order being the order in which ties are named."""

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
    """Seconds of a step, and the name of its longest term."""
    terms = {
        "compute": flops / (peak_flops * mfu),
        "memory": memory_bytes / memory_bandwidth,
        "communication": messages * message_latency + comm_bytes / link_bandwidth,
    }
    longest = max(terms.values())
    bottleneck = next(name for name, term in terms.items() if math.isclose(term, longest, rel_tol=1e-9))
    if overlap:
        return longest, bottleneck
    return max(terms["compute"], terms["memory"]) + terms["communication"], bottleneck
