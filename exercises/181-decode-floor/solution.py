"""Exercise 181: the floor of a decode step."""

UNITS = {"GB": 1e9, "TB": 1e12, "GiB": 2**30, "TiB": 2**40}  # a GiB is 7.4 % more than a GB


def read_bytes(text):
    """Bytes (or bytes per second) of a text such as "141 GB" or "3.35 TB/s"."""
    number, unit = text.removesuffix("/s").split(" ")
    if unit not in UNITS:
        raise ValueError(f"unit {unit}, expected one of {', '.join(UNITS)}")
    return float(number) * UNITS[unit]


def decode_floor(weights, kv_bytes_per_token, contexts, bandwidth, gpus=1):
    """Least seconds of one decode step: all bytes it must read, at the bandwidth of all GPUs."""
    if not contexts:
        return 0.0
    # The weights serve the whole batch, which is why batching pays; the KV of a sequence serves nobody else.
    bytes_read = read_bytes(weights) + sum(contexts) * kv_bytes_per_token
    return bytes_read / (gpus * read_bytes(bandwidth))
