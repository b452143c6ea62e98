"""Requests: who arrives when, with how many tokens."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from random import Random

from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a workload."""

    arrival: float
    """Seconds from the start."""
    input_len: int
    """Prompt tokens, at least 1."""
    output_len: int
    """Generated tokens, at least 1."""
    priority: int = 0
    """With order = "priority": lower goes first."""
    hashes: tuple = ()
    """Hashes of the prompt's blocks of `hash_block` tokens, each over all tokens up to its end; for prefix caches.

    Two prompts with the same hash must be the same up to there: nothing checks it, and with other hashes the hits are wrong.
    """
    hash_block: int = 512
    """Tokens per hash; Mooncake's traces use 512."""
    loaded: int = 0
    """Leading prompt tokens whose KV comes from elsewhere and is not computed: another instance, or a slower tier."""


LATEST = 1e10
"""Seconds, 300 years: a request that arrives later finds no room in a float for steps of milliseconds."""


MOST = 100_000_000
"""Requests; so many take more memory than machines have."""


@lru_cache(maxsize=4)
def unit_exponentials(count: int, seed: int) -> tuple:
    """`count` draws of random.Random(seed).expovariate(1).

    expovariate(rate) is the same draw divided by the rate, so one set serves every rate of a search.
    """
    rng = Random(seed)
    return tuple(rng.expovariate(1.0) for _ in range(count))


def poisson_arrivals(rate: float, count: int, seed: int = 0) -> list[float]:
    """Arrival times of a Poisson process: the running sum of random.Random(seed).expovariate(rate), in seconds."""
    check_number("rate", rate, above=0)
    check_whole("num_requests", count, least=1)
    check_number("num_requests", count, most=MOST)
    arrivals = list(accumulate([gap / rate for gap in unit_exponentials(int(count), seed)]))
    check_number(f"rate is {rate:g}, and the last arrival", arrivals[-1], most=LATEST)
    return arrivals
