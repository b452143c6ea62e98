"""Exercise 161: the price of a request as a fraction, so that ties are ties."""

from fractions import Fraction
from math import ceil


def request_cents(prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> Fraction:
    """What the API bills for one request, in cents, exactly."""
    cached = Fraction(input_tokens * hit_percent, 100)
    per_million = (input_tokens - cached) * prices["input"] + cached * prices["cached_input"] + output_tokens * prices["output"]
    return per_million / 1_000_000


def api_cents(requests_per_day: int, prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> float:
    """What the API bills per day, in cents."""
    return float(requests_per_day * request_cents(prices, input_tokens, output_tokens, hit_percent))


def self_host_cents(requests_per_day: int, busy_hours: int, instance_requests_per_hour: int, instance_cents_per_hour: int) -> int:
    """What the fewest sufficient instances cost per day, in cents; at least one is rented."""
    instances = max(1, ceil(Fraction(requests_per_day, busy_hours * instance_requests_per_hour)))
    return instances * 24 * instance_cents_per_hour


def break_even(
    prices: dict[str, int],
    input_tokens: int,
    output_tokens: int,
    hit_percent: int,
    busy_hours: int,
    instance_requests_per_hour: int,
    instance_cents_per_hour: int,
) -> int | None:
    """Fewest requests per day at which one instance costs no more than the API; None when it never does."""
    rent = 24 * instance_cents_per_hour
    if rent == 0:
        return 0
    each = request_cents(prices, input_tokens, output_tokens, hit_percent)
    most = busy_hours * instance_requests_per_hour
    return ceil(rent / each) if each * most >= rent else None
