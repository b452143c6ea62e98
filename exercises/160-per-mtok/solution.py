"""Exercise 160: dollars per million output tokens."""

import math


def fleet(peak_rate: float, headroom_percent: int, rate_per_instance: float, gpus_per_instance: int) -> dict:
    """Whole instances and their GPUs for the peak plus headroom."""
    if not rate_per_instance > 0:
        raise ValueError(f"an instance serves {rate_per_instance} requests/s, so no fleet is large enough")
    exact = peak_rate * (100 + headroom_percent) / 100 / rate_per_instance
    nearest = round(exact)
    # 100 * 1.1 / 11 is 10.000000000000002: that is ten instances and noise, not eleven.
    instances = nearest if math.isclose(exact, nearest, rel_tol=1e-9) else math.ceil(exact)
    return {"instances": instances, "gpus": instances * gpus_per_instance}


def dollars_per_mtok(
    gpus: int, dollars_per_gpu_hour: float, hourly_rates: list[float], input_tokens: float, output_tokens: float
) -> float:
    """Dollars of the fleet per million output tokens, over the hours given."""
    # Dollars run by the hour for every GPU; tokens run by the second with the traffic. Prompts cost work, but are not sold here.
    dollars = gpus * dollars_per_gpu_hour * len(hourly_rates)
    requests = sum(hourly_rates) * 3600
    tokens = requests * output_tokens
    if tokens == 0:
        raise ValueError("no output token is produced, so there is no price per token")
    return dollars / tokens * 1e6
