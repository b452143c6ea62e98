"""Exercise 188: cold start and standby."""


def cold_start(weight_bytes, network_gbit, load_gbyte, fixed_seconds=0.0, chunks=1):
    """Seconds until a new instance can serve.

    weight_bytes: bytes of weights. network_gbit: 1e9 bits/s, or None where nothing is fetched. load_gbyte: 1e9 bytes/s.
    fixed_seconds: work that does not depend on size. chunks: equal pieces that are loaded while the next is fetched.
    """
    raise NotImplementedError


def standby(load, per_instance, running, growth, period, cold_seconds):
    """Instances that must stand by so that the load of cold_seconds later can be served.

    load, per_instance: requests/s. running: instances. growth: share of the load by which it grows in period seconds.
    """
    raise NotImplementedError
