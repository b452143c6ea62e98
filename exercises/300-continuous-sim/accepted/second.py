"""Continuous batching without stepping: a heap of the steps in which the slots become free."""

import heapq


def finish_steps(requests: list[tuple[int, int]], slots: int) -> list[int]:
    """The step in which each request emits its last token, in the order of the input."""
    if slots < 1:
        raise ValueError(f"slots is {slots}, but it must be 1 or more")
    for arrival, tokens in requests:
        if arrival < 1 or tokens < 1:
            raise ValueError(f"the request ({arrival}, {tokens}) must have arrival and tokens of 1 or more")

    last_steps = [0] * len(requests)
    busy = []  # last step of each slot's present sequence
    for index in sorted(range(len(requests)), key=lambda i: requests[i][0]):  # stable: ties stay in list order
        arrival, tokens = requests[index]
        start = arrival
        if len(busy) == slots:
            start = max(arrival, heapq.heappop(busy) + 1)
        last_steps[index] = start + tokens - 1
        heapq.heappush(busy, last_steps[index])
    return last_steps
