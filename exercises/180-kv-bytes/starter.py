"""Exercise 180: bytes of KV cache per token."""


def kv_bytes_per_token(config, dtype_bytes=2):
    """Bytes that one token keeps in the KV cache, over all layers.

    config: dict with the keys of a config.json; an absent value is a missing key or None.
    dtype_bytes: bytes of one cached number, 4, 2 or 1.
    Returns an int.
    """
    raise NotImplementedError
