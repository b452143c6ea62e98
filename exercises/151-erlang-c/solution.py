"""Exercise 151: how many servers for a wait budget."""

import math


def wait_probability(servers: int, utilisation: float) -> float:
    """Erlang C: the probability that a request has to wait."""
    if not 0 <= utilisation < 1:
        raise ValueError(f"a utilisation of {utilisation} is not within 0 and 1; in overload the queue grows without bound")
    # Erlang B by its recurrence: every value is a probability, so nothing overflows, where a**c / c! does at c = 500.
    load = servers * utilisation
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load * blocked / (k + load * blocked)
    return blocked / (1 - utilisation * (1 - blocked))


def mean_wait(servers: int, utilisation: float, service_s: float) -> float:
    """Mean seconds in the queue over all requests."""
    # Whoever waits waits service_s / (c * (1 - rho)) on average: the pool finishes c / service_s requests a second.
    return wait_probability(servers, utilisation) * service_s / (servers * (1 - utilisation))


def max_utilisation(servers: int, service_s: float, wait_s: float) -> float:
    """The largest utilisation at which the mean wait is at most wait_s seconds."""
    # The wait grows with the utilisation, from 0 to infinity: bisect. 50 halvings give fifteen digits and stay below 1.
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if mean_wait(servers, middle, service_s) <= wait_s:
            low = middle
        else:
            high = middle
    return low


def servers_needed(rate: float, service_s: float, wait_s: float) -> int:
    """The fewest servers with which the mean wait is at most wait_s."""
    load = rate * service_s
    servers = math.floor(load) + 1  # at a whole load of 10, ten servers would be at utilisation 1
    while mean_wait(servers, load / servers, service_s) > wait_s:
        servers += 1
    return servers
