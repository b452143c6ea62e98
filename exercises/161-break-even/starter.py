"""Exercise 161: self-host or call the API."""


def api_cents(requests_per_day: int, prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> float:
    """What the API bills per day, in cents.

    prices: "input", "cached_input" and "output", in cents per million tokens.
    hit_percent: share of the prompt tokens billed as cached input.
    """
    raise NotImplementedError


def self_host_cents(requests_per_day: int, busy_hours: int, instance_requests_per_hour: int, instance_cents_per_hour: int) -> int:
    """What the fewest sufficient instances cost per day, in cents; at least one is rented.

    busy_hours: hours of the day over which the requests are spread evenly.
    """
    raise NotImplementedError


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
    raise NotImplementedError
