"""Makes a TB of 1024 GB."""

UNITS = {"GB": 1e9, "TB": 1024e9, "GiB": 2**30, "TiB": 2**40}


def read_bytes(text):
    value, unit = text.replace("/s", "").split()
    if unit not in UNITS:
        raise ValueError("unknown unit " + unit)
    return float(value) * UNITS[unit]


def decode_floor(weights, kv_bytes_per_token, contexts, bandwidth, gpus=1):
    if len(contexts) == 0:
        return 0.0
    kv = 0
    for context in contexts:
        kv += context * kv_bytes_per_token
    total = read_bytes(weights) + kv
    return total / (read_bytes(bandwidth) * gpus)
