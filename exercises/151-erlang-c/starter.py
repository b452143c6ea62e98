"""Exercise 151: how many servers for a wait budget."""


def wait_probability(servers: int, utilisation: float) -> float:
    """Erlang C: the probability that a request has to wait.

    servers: 1 to 5,000. utilisation: 0 <= utilisation < 1, otherwise ValueError.
    """
    raise NotImplementedError


def mean_wait(servers: int, utilisation: float, service_s: float) -> float:
    """Mean seconds in the queue over all requests; service_s is the mean service time in seconds."""
    raise NotImplementedError


def max_utilisation(servers: int, service_s: float, wait_s: float) -> float:
    """The largest utilisation at which the mean wait is at most wait_s seconds."""
    raise NotImplementedError


def servers_needed(rate: float, service_s: float, wait_s: float) -> int:
    """The fewest servers with which the mean wait is at most wait_s; rate in requests per second."""
    raise NotImplementedError
