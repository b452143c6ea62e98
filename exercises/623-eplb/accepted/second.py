"""Replicate and pack experts in whole numbers: all loads are counted in a unit that every number of replicas divides."""

import heapq
from fractions import Fraction
from math import lcm


def replicate(loads: list[int], slots: int) -> list[int]:
    """How many replicas each expert gets, `slots` in all."""
    if slots < len(loads):
        raise ValueError(f"{slots} slots are fewer than the {len(loads)} experts")
    replicas = [1] * len(loads)
    hottest = [(Fraction(-load), expert) for expert, load in enumerate(loads)]
    heapq.heapify(hottest)
    for _ in range(slots - len(loads)):
        expert = hottest[0][1]
        replicas[expert] += 1
        heapq.heapreplace(hottest, (Fraction(-loads[expert], replicas[expert]), expert))
    return replicas


def pack(loads: list[int], replicas: list[int], gpus: int) -> list[list[int]]:
    """The expert numbers on each GPU, in the order of placement; the same number on each."""
    room, left_over = divmod(sum(replicas), gpus)
    if left_over:
        raise ValueError(f"{sum(replicas)} replicas cannot be spread evenly over {gpus} GPUs")
    carried = carried_units(loads, replicas)
    placement = [[] for _ in range(gpus)]
    open_gpus = [(0, gpu) for gpu in range(gpus)]  # a heap, as it is sorted
    for expert in sorted(range(len(loads)), key=lambda e: -carried[e]):  # stable: the lower number first
        for _ in range(replicas[expert]):
            load, gpu = heapq.heappop(open_gpus)
            placement[gpu].append(expert)
            if len(placement[gpu]) < room:
                heapq.heappush(open_gpus, (load + carried[expert], gpu))
    return placement


def imbalance(loads: list[int], replicas: list[int], placement: list[list[int]]) -> float:
    """The largest GPU load over the mean GPU load; 1.0 if there is no load."""
    carried = carried_units(loads, replicas)
    gpu_loads = [sum(carried[expert] for expert in experts) for experts in placement]
    if not any(gpu_loads):
        return 1.0
    return max(gpu_loads) * len(gpu_loads) / sum(gpu_loads)


def carried_units(loads, replicas):
    """What one replica of each expert carries, in tokens / lcm(replicas), so that it is whole."""
    unit = lcm(*replicas)
    return [load * unit // count for load, count in zip(loads, replicas)]
