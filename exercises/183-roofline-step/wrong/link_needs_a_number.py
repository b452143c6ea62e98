"""Takes the memory's bandwidth for a missing link."""

import math


def roofline_step(flops, memory_bytes, comm_bytes=0, *, peak_flops, memory_bandwidth, link_bandwidth=math.inf, mfu=1.0, messages=0,
                  message_latency=0.0, overlap=False):
    compute = flops / (peak_flops * mfu)
    memory = memory_bytes / memory_bandwidth
    comm = comm_bytes / min(link_bandwidth, memory_bandwidth) + messages * message_latency
    longest = max(compute, memory, comm)
    if math.isclose(compute, longest, rel_tol=1e-9):
        name = "compute"
    elif math.isclose(memory, longest, rel_tol=1e-9):
        name = "memory"
    else:
        name = "communication"
    if overlap:
        return max(compute, memory, comm), name
    return max(compute, memory) + comm, name
