UNITS_PER_CENT = 100 * 1_000_000


def request_units(prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> int:
    prompt = input_tokens * (hit_percent * prices["cached_input"] + (100 - hit_percent) * prices["input"])
    return prompt + output_tokens * 100 * prices["output"]


def api_cents(requests_per_day: int, prices: dict[str, int], input_tokens: int, output_tokens: int, hit_percent: int) -> float:
    return requests_per_day * request_units(prices, input_tokens, output_tokens, hit_percent) / UNITS_PER_CENT


def self_host_cents(requests_per_day: int, busy_hours: int, instance_requests_per_hour: int, instance_cents_per_hour: int) -> int:
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
    day = 24 * instance_cents_per_hour * UNITS_PER_CENT
    request = request_units(prices, input_tokens, output_tokens, hit_percent)
    requests = -(-day // request)
    return requests if requests <= busy_hours * instance_requests_per_hour else None
