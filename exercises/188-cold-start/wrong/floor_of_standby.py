"""Rounds down."""

import math


def cold_start(weight_bytes, network_gbit, load_gbyte, fixed_seconds=0.0, chunks=1):
    load = weight_bytes / (load_gbyte * 1e9)
    if network_gbit is None:
        return fixed_seconds + load
    fetch = weight_bytes / (network_gbit * 1e9 / 8)
    slow, fast = max(fetch, load), min(fetch, load)
    return fixed_seconds + slow + fast / chunks


def standby(load, per_instance, running, growth, period, cold_seconds):
    later = load + load * growth * cold_seconds / period
    needed = later / per_instance
    total = math.floor(needed + needed * 1e-9)
    return max(0, total - running)
