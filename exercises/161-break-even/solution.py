"""Exercise 161: self-host or call the API."""

UNITS_PER_CENT = 100 * 1_000_000  # a hit percent of a token at a price per million: 1e-8 cents, and everything is whole


def request_units(prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> int:
    """What the API bills for one request, in units of 1e-8 cents."""
    prompt = input_tokens * (hit_percent * prices["cached_input"] + (100 - hit_percent) * prices["input"])
    return prompt + output_tokens * 100 * prices["output"]


def api_cents(requests_per_day: int, prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> float:
    """What the API bills per day, in cents."""
    return requests_per_day * request_units(prices, input_tokens, output_tokens, hit_percent) / UNITS_PER_CENT


def self_host_cents(requests_per_day: int, busy_hours: int, instance_requests_per_hour: int, instance_cents_per_hour: int) -> int:
    """What the fewest sufficient instances cost per day, in cents; at least one is rented."""
    # Sized for the busy hours, paid for all of them.
    served_per_day = busy_hours * instance_requests_per_hour
    instances = max(1, -(-requests_per_day // served_per_day))
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
    day = 24 * instance_cents_per_hour * UNITS_PER_CENT
    request = request_units(prices, input_tokens, output_tokens, hit_percent)
    if day == 0:
        return 0
    if request == 0:
        return None
    requests = -(-day // request)
    # Beyond its capacity a second instance is needed; full, it costs per request what the first one costs full.
    return requests if requests <= busy_hours * instance_requests_per_hour else None
