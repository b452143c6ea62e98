"""Exercise 188: cold start and standby."""

import math

ROUNDING = 1e-9  # a float quotient this close to a whole number is that number


def cold_start(weight_bytes, network_gbit, load_gbyte, fixed_seconds=0.0, chunks=1):
    """Seconds until a new instance can serve: 560 s only for fetching 700 GB at 10 Gb/s."""
    fetch = 0.0 if network_gbit is None else weight_bytes * 8 / (network_gbit * 1e9)
    load = weight_bytes / (load_gbyte * 1e9)
    # A pipeline of two stages: the slower one works without a pause, and the faster one sticks out by one chunk.
    return fixed_seconds + max(fetch, load) + min(fetch, load) / chunks


def standby(load, per_instance, running, growth, period, cold_seconds):
    """Instances that must stand by so that the load of cold_seconds later can be served."""
    later = load * (1 + growth * cold_seconds / period)
    needed = later / per_instance
    return max(0, math.ceil(needed - ROUNDING * needed) - running)
