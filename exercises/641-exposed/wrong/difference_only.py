def transfer_seconds(tokens, kv_bytes_per_token, link_gbit, links, efficiency):
    bytes_per_second = link_gbit * 1e9 / 8 * links * efficiency
    return tokens * kv_bytes_per_token / bytes_per_second


def exposed_seconds(prefill, transfer, layers, group=1, latency=0.0):
    if layers < 1 or not 1 <= group <= layers:
        raise ValueError(f"group is {group} of {layers} layers, but it must be from 1 to the number of layers, which is 1 or more")
    sends = -(-layers // group)
    return max(0.0, transfer + sends * latency - prefill)


def best_group(prefill, transfer, layers, latency):
    exposed = [exposed_seconds(prefill, transfer, layers, group, latency) for group in range(1, layers + 1)]
    least = min(exposed)
    return next(group for group, seconds in enumerate(exposed, 1) if seconds <= least * (1 + 1e-9))
