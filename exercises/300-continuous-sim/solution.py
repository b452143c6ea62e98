"""Continuous batching: one admission decision per step.

A sequence emits a token in every step from its admission on, so its last step is known the moment it is admitted:
admission + tokens - 1. What is left to find is when a slot is free, and a heap of last steps answers that. The cost is
O(n log n) in requests, whatever the lengths are; walking every step would be right too, only slower.
"""

import heapq


def finish_steps(requests: list[tuple[int, int]], slots: int) -> list[int]:
    """The step in which each request emits its last token, in the order of the input."""
    if slots < 1:
        raise ValueError(f"slots is {slots}, but at least one is needed")
    for arrival, tokens in requests:
        if arrival < 1 or tokens < 1:
            raise ValueError(f"request {(arrival, tokens)}: arrival and tokens are 1 or more")

    # First come, first served. The sort is stable, so equal arrivals keep their list order.
    queue = sorted(range(len(requests)), key=lambda i: requests[i][0])
    finish = [0] * len(requests)
    running: list[int] = []  # the last step of every sequence that holds a slot
    for i in queue:
        arrival, tokens = requests[i]
        start = arrival
        if len(running) == slots:
            # The slot that frees first; free from the step after its last one. Nobody behind us in the queue can take it.
            start = max(arrival, heapq.heappop(running) + 1)
        finish[i] = start + tokens - 1
        heapq.heappush(running, finish[i])
    return finish
