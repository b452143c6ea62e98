import math


def wait_probability(servers: int, utilisation: float) -> float:
    if not 0 < utilisation < 1:
        raise ValueError(f"a utilisation of {utilisation} is not within 0 and 1; in overload the queue grows without bound")
    load = servers * utilisation
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load * blocked / (k + load * blocked)
    return blocked / (1 - utilisation * (1 - blocked))


def mean_wait(servers: int, utilisation: float, service_s: float) -> float:
    return wait_probability(servers, utilisation) * service_s / (servers * (1 - utilisation))


def max_utilisation(servers: int, service_s: float, wait_s: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if mean_wait(servers, middle, service_s) <= wait_s:
            low = middle
        else:
            high = middle
    return low


def servers_needed(rate: float, service_s: float, wait_s: float) -> int:
    load = rate * service_s
    servers = math.floor(load) + 1
    while mean_wait(servers, load / servers, service_s) > wait_s:
        servers += 1
    return servers
