"""Exercise 641: KV transfer hidden behind prefill."""


def transfer_seconds(tokens: int, kv_bytes_per_token: int, link_gbit: float, links: int, efficiency: float) -> float:
    """Seconds to send a prompt's KV.

    link_gbit: gigabits/s (1e9 bits) of each of `links` parallel links. efficiency: share of that which is reached.
    """
    raise NotImplementedError


def exposed_seconds(prefill: float, transfer: float, layers: int, group: int = 1, latency: float = 0.0) -> float:
    """Seconds from the end of prefill to the end of the last send, when groups of layers are sent as they are computed.

    prefill, transfer: seconds for all layers. latency: seconds of each send besides its bytes.
    Raises ValueError if layers is below 1 or group is not from 1 to layers.
    """
    raise NotImplementedError


def best_group(prefill: float, transfer: float, layers: int, latency: float) -> int:
    """The group size with the least exposed time; the smallest of those within a relative 1e-9 of it."""
    raise NotImplementedError
