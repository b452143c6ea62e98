"""Exercise 181: the floor of a decode step."""


def read_bytes(text):
    """Bytes (or bytes per second) of a text such as "141 GB", "131.3 GiB" or "3.35 TB/s".

    Raises ValueError, naming the unit, for any other unit.
    """
    raise NotImplementedError


def decode_floor(weights, kv_bytes_per_token, contexts, bandwidth, gpus=1):
    """Least seconds of one decode step.

    weights: size of the weights, as text.
    kv_bytes_per_token: bytes of KV cache per token, over the whole model.
    contexts: tokens in the cache, one number per running sequence.
    bandwidth: memory bandwidth of one GPU, as text.
    gpus: GPUs over which weights and KV are spread evenly.
    """
    raise NotImplementedError
