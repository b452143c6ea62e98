"""Routers that look at loads."""

from dataclasses import dataclass
from random import Random

from practice.sim.wording import check_whole


@dataclass(frozen=True)
class FewestRequests:
    """The replica with the fewest requests sent and not finished; the first of equals."""

    watches = True

    def start(self, rng: Random):
        """choose for one run."""
        return lambda request, candidates: min(candidates, key=_requests)


@dataclass(frozen=True)
class FewestTokens:
    """The replica with the fewest tokens, prompts and answers, of requests sent and not finished.

    The length of an answer is taken as known, which a real router can only predict.
    """

    watches = True

    def start(self, rng: Random):
        """choose for one run."""
        return lambda request, candidates: min(candidates, key=_tokens)


@dataclass(frozen=True)
class PowerOfChoices:
    """Of `choices` replicas drawn at random, the one with the fewest requests.

    Source: Mitzenmacher 2001, The power of two choices in randomized load balancing.
    """

    choices: int = 2
    """How many are drawn; 1 is a random choice."""
    watches = True

    def __post_init__(self):
        check_whole("choices", self.choices, least=1)

    def start(self, rng: Random):
        """choose for one run."""
        sample, most = rng.sample, self.choices

        def choose(request, candidates):
            drawn = candidates if len(candidates) <= most else sample(candidates, most)
            return min(drawn, key=_requests)

        return choose


def _requests(instance):
    return instance.view.requests


def _tokens(instance):
    return instance.view.tokens
