def transfer_seconds(tokens, kv_bytes_per_token, link_gbit, links, efficiency):
    bytes_per_second = link_gbit * 1e9 / 8 * links * efficiency
    return tokens * kv_bytes_per_token / bytes_per_second


def exposed_seconds(prefill, transfer, layers, group=1, latency=0.0):
    link_free = 0.0
    for first in range(0, layers, group):
        last = min(first + group, layers)
        computed = prefill * last / layers
        link_free = max(link_free, computed) + latency + transfer * (last - first) / layers
    return link_free - prefill


def best_group(prefill, transfer, layers, latency):
    exposed = [exposed_seconds(prefill, transfer, layers, group, latency) for group in range(1, layers + 1)]
    least = min(exposed)
    return next(group for group, seconds in enumerate(exposed, 1) if seconds <= least * (1 + 1e-9))
