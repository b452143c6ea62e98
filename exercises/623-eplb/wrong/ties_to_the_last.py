import heapq
from fractions import Fraction


def replicate(loads, slots):
    if slots < len(loads):
        raise ValueError(f"{slots} slots are too few for {len(loads)} experts: each needs one")
    replicas = [1] * len(loads)
    heap = [(-Fraction(load), -expert) for expert, load in enumerate(loads)]
    heapq.heapify(heap)
    for _ in range(slots - len(loads)):
        expert = -heap[0][1]
        replicas[expert] += 1
        heapq.heapreplace(heap, (-Fraction(loads[expert], replicas[expert]), -expert))
    return replicas


def pack(loads, replicas, gpus):
    room, rest = divmod(sum(replicas), gpus)
    if rest:
        raise ValueError(f"{sum(replicas)} replicas cannot be divided evenly among {gpus} GPUs")
    carried = [Fraction(load, count) for load, count in zip(loads, replicas)]
    placement = [[] for _ in range(gpus)]
    open_gpus = [(Fraction(0), gpu) for gpu in range(gpus)]
    for expert in sorted(range(len(loads)), key=lambda e: (-carried[e], e)):
        for _ in range(replicas[expert]):
            load, gpu = heapq.heappop(open_gpus)
            placement[gpu].append(expert)
            if len(placement[gpu]) < room:
                heapq.heappush(open_gpus, (load + carried[expert], gpu))
    return placement


def imbalance(loads, replicas, placement):
    totals = [sum(Fraction(loads[e], replicas[e]) for e in experts) for experts in placement]
    if not any(totals):
        return 1.0
    return float(max(totals) * len(totals) / sum(totals))
