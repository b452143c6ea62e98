"""Cold start by its slower stage: that stage never pauses, the faster one adds one chunk before or after it."""

import math


def cold_start(weight_bytes, network_gbit, load_gbyte, fixed_seconds=0.0, chunks=1):
    """Seconds until a new instance can serve."""
    fetch = 0.0 if network_gbit is None else weight_bytes * 8 / (network_gbit * 1e9)
    load = weight_bytes / (load_gbyte * 1e9)
    fetch_bound = fetch + load / chunks
    load_bound = fetch / chunks + load
    return fixed_seconds + max(fetch_bound, load_bound)


def standby(load, per_instance, running, growth, period, cold_seconds):
    """Instances that must stand by so that the load of cold_seconds later can be served."""
    later = load * (1 + growth * cold_seconds / period)
    needed = later / per_instance
    nearest = round(needed)
    if not math.isclose(needed, nearest, rel_tol=1e-9):
        nearest = math.ceil(needed)
    return max(0, nearest - running)
