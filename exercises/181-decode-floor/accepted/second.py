"""The floor of a decode step: all bytes that must be read, over all bandwidth there is."""

UNITS = {"GB": 10**9, "TB": 10**12, "GiB": 2**30, "TiB": 2**40}


def read_bytes(text):
    """Bytes (or bytes per second) of a text such as "141 GB" or "3.35 TB/s"."""
    number, _, unit = text.partition(" ")
    unit = unit.removesuffix("/s")
    if unit not in UNITS:
        raise ValueError(f'the unit is "{unit}", but it must be one of {", ".join(UNITS)}')
    return float(number) * UNITS[unit]


def decode_floor(weights, kv_bytes_per_token, contexts, bandwidth, gpus=1):
    """Least seconds of one decode step: weights once, and the KV of every sequence once."""
    if not contexts:
        return 0.0
    bytes_read = read_bytes(weights) + kv_bytes_per_token * sum(contexts)
    return bytes_read / (read_bytes(bandwidth) * gpus)
