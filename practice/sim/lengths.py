"""How long prompts and answers are: functions from a random.Random to a number of tokens."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from math import exp, log, sqrt
from random import Random

from practice.sim.wording import check_number, check_whole

Length = Callable[[Random], int]


def fixed(tokens: int) -> Length:
    """Always the same number of tokens."""
    check_whole("tokens", tokens, least=1)
    return lambda rng: int(tokens)


def lognormal(mean: float, cv: float, *, most: int = 1_000_000) -> Length:
    """Lognormal lengths with this mean and coefficient of variation (standard deviation / mean), at least 1 token.

    most: longer ones are cut to this. Example: lognormal(1155, 0.9) is close to the prompts of Azure's conversation trace.
    """
    check_number("mean", mean, least=1, most=1e12)
    check_number("cv", cv, least=0, most=1000)
    check_whole("most", most, least=1)
    variance = log(1 + cv * cv)
    mu, sigma = log(mean) - variance / 2, sqrt(variance)
    return lambda rng: max(1, min(most, round(exp(min(700.0, rng.gauss(mu, sigma))))))


def empirical(lengths: Iterable[int]) -> Length:
    """Draws, with replacement, from lengths that were measured."""
    values = list(lengths)
    if not values:
        raise ValueError("lengths is empty, but at least one measured length is needed")
    for value in values:
        check_whole("lengths", value, least=1)
    return lambda rng: values[int(rng.random() * len(values))]


def from_quantiles(points: Iterable[tuple[float, int]]) -> Length:
    """Draws between published quantiles, straight lines between them: (share of requests at most this long, tokens).

    Example: from_quantiles([(0, 1), (0.5, 1020), (0.99, 4142), (1, 8000)]).
    """
    points = sorted(points)
    shares, tokens = [share for share, _ in points], [value for _, value in points]
    if len(points) < 2 or shares[0] != 0 or shares[-1] != 1:
        raise ValueError(f"points has the shares {shares}, but they must begin with 0 and end with 1")
    for value in tokens:
        check_whole("points", value, least=1)

    def draw(rng):
        share = rng.random()
        place = min(bisect_right(shares, share), len(shares) - 1)
        part = (share - shares[place - 1]) / (shares[place] - shares[place - 1])
        return round(tokens[place - 1] + part * (tokens[place] - tokens[place - 1]))

    return draw
