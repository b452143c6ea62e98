"""Exercise 151: the sum of Erlang C taken backwards, in units of its last term, so that nothing overflows too early."""

from bisect import bisect_left
from math import floor


def wait_probability(servers: int, utilisation: float) -> float:
    """Erlang C: the probability that a request has to wait.

    With x = a^c / c!, C = 1 / (1 + (1 - utilisation) * S / x). The terms of S / x are c/a, c(c-1)/a^2, ...; where
    they grow beyond the floats, C is below their smallest and comes out as 0.
    """
    if not 0 <= utilisation < 1:
        raise ValueError(f"utilisation is {utilisation}, but it must be 0 or more and below 1")
    if utilisation == 0:
        return 0.0
    load, term, total = servers * utilisation, 1.0, 0.0
    for k in range(servers, 0, -1):
        term *= k / load
        total += term
    return 1 / (1 + (1 - utilisation) * total)


def mean_wait(servers: int, utilisation: float, service_s: float) -> float:
    """Mean seconds in the queue over all requests."""
    return wait_probability(servers, utilisation) * service_s / (servers * (1 - utilisation))


def max_utilisation(servers: int, service_s: float, wait_s: float) -> float:
    """The largest utilisation at which the mean wait is at most wait_s seconds, by bisection."""
    low, high = 0.0, 1.0
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        if mean_wait(servers, middle, service_s) <= wait_s:
            low = middle
        else:
            high = middle
    return low


def servers_needed(rate: float, service_s: float, wait_s: float) -> int:
    """The fewest servers with which the mean wait is at most wait_s: double the range, then bisect it."""
    load = rate * service_s

    def suffices(servers: int) -> bool:
        return mean_wait(servers, load / servers, service_s) <= wait_s

    fewest = floor(load) + 1
    spare = 1
    while not suffices(fewest + spare):
        spare *= 2
    return bisect_left(range(fewest + spare), True, lo=fewest, key=suffices)
