import heapq


def finish_steps(requests, slots):
    if slots < 1:
        raise ValueError("slots must be positive")
    queue = sorted((arrival, tokens, i) for i, (arrival, tokens) in enumerate(requests))
    finish = [0] * len(requests)
    busy = []
    for arrival, tokens, i in queue:
        if arrival < 1 or tokens < 1:
            raise ValueError("arrivals and tokens must be positive")
        start = arrival
        if len(busy) == slots:
            start = max(arrival, heapq.heappop(busy) + 1)
        finish[i] = start + tokens - 1
        heapq.heappush(busy, finish[i])
    return finish
