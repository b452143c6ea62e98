"""Routers that look at nothing."""

from dataclasses import dataclass
from itertools import count
from random import Random


@dataclass(frozen=True)
class RoundRobin:
    """One after the other."""

    watches = False

    def start(self, rng: Random):
        """choose for one run."""
        turn = count()
        return lambda request, candidates: candidates[next(turn) % len(candidates)]


@dataclass(frozen=True)
class RandomChoice:
    """Any, with equal chances."""

    watches = False

    def start(self, rng: Random):
        """choose for one run."""
        draw = rng.random
        return lambda request, candidates: candidates[int(draw() * len(candidates))]
