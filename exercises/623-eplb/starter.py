"""Exercise 623: replicate and pack experts."""


def replicate(loads: list[int], slots: int) -> list[int]:
    """How many replicas each expert gets, `slots` in all.

    loads: tokens per expert. Raises ValueError if there are fewer slots than experts.
    """
    raise NotImplementedError


def pack(loads: list[int], replicas: list[int], gpus: int) -> list[list[int]]:
    """The expert numbers on each GPU, in the order of placement; the same number on each.

    Raises ValueError if the replicas cannot be divided evenly among the GPUs.
    """
    raise NotImplementedError


def imbalance(loads: list[int], replicas: list[int], placement: list[list[int]]) -> float:
    """The largest GPU load over the mean GPU load; 1.0 if there is no load."""
    raise NotImplementedError
