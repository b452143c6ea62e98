"""Replicate and pack experts: two greedy steps.

Handing out replicas one at a time to the largest load per replica is optimal for the largest load per replica. Packing heaviest first is not
optimal (packing is NP-hard), but is never far off, and the same input always gives the same placement.
"""

import heapq
from fractions import Fraction


def replicate(loads, slots):
    """How many replicas each expert gets, `slots` in all."""
    if slots < len(loads):
        raise ValueError(f"{slots} slots are too few for {len(loads)} experts: each needs one")
    replicas = [1] * len(loads)
    heap = [(-Fraction(load), expert) for expert, load in enumerate(loads)]  # smallest first: largest load, lowest number
    heapq.heapify(heap)
    for _ in range(slots - len(loads)):
        _, expert = heap[0]
        replicas[expert] += 1
        heapq.heapreplace(heap, (-Fraction(loads[expert], replicas[expert]), expert))
    return replicas


def pack(loads, replicas, gpus):
    """The expert numbers on each GPU, in the order of placement."""
    room, rest = divmod(sum(replicas), gpus)
    if rest:
        raise ValueError(f"{sum(replicas)} replicas cannot be divided evenly among {gpus} GPUs")
    carried = [Fraction(load, count) for load, count in zip(loads, replicas)]
    placement = [[] for _ in range(gpus)]
    open_gpus = [(Fraction(0), gpu) for gpu in range(gpus)]  # a heap; a full GPU is not put back
    for expert in sorted(range(len(loads)), key=lambda e: (-carried[e], e)):
        for _ in range(replicas[expert]):
            load, gpu = heapq.heappop(open_gpus)
            placement[gpu].append(expert)
            if len(placement[gpu]) < room:
                heapq.heappush(open_gpus, (load + carried[expert], gpu))
    return placement


def imbalance(loads, replicas, placement):
    """The largest GPU load over the mean GPU load."""
    totals = [sum(Fraction(loads[e], replicas[e]) for e in experts) for experts in placement]
    if not any(totals):
        return 1.0
    return float(max(totals) * len(totals) / sum(totals))
