"""Exposed KV transfer without simulating the link.

The link never pauses after some group j has had to wait for its layers. So the last send ends at the largest, over all
j, of "j is computed, and from then on everything from j to the end is sent".
"""


def transfer_seconds(tokens: int, kv_bytes_per_token: int, link_gbit: float, links: int, efficiency: float) -> float:
    """Seconds to send a prompt's KV."""
    return tokens * kv_bytes_per_token * 8 / (link_gbit * 1e9 * links * efficiency)


def exposed_seconds(prefill: float, transfer: float, layers: int, group: int = 1, latency: float = 0.0) -> float:
    """Seconds from the end of prefill to the end of the last send."""
    if layers < 1 or not 1 <= group <= layers:
        raise ValueError(f"layers is {layers} and group {group}, but both must be 1 or more, and group at most layers")
    starts = range(0, layers, group)

    def end_if_waiting_for(number):
        first = starts[number]
        uncomputed = max(0, layers - first - group)
        sends = len(starts) - number
        return transfer * (layers - first) / layers + latency * sends - prefill * uncomputed / layers

    return max(map(end_if_waiting_for, range(len(starts))))


def best_group(prefill: float, transfer: float, layers: int, latency: float) -> int:
    """The group size with the least exposed time; the smallest of those within a relative 1e-9 of it."""
    exposed = {group: exposed_seconds(prefill, transfer, layers, group, latency) for group in range(1, layers + 1)}
    limit = min(exposed.values()) * (1 + 1e-9)
    return next(group for group, seconds in exposed.items() if seconds <= limit)
