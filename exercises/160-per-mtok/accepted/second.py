"""Exercise 160: the ceiling is taken of a quotient that was made a hair smaller."""

import math


def fleet(peak_rate: float, headroom_percent: int, rate_per_instance: float, gpus_per_instance: int) -> dict:
    """Whole instances and their GPUs for the peak plus headroom."""
    if not rate_per_instance > 0:
        raise ValueError(f"rate_per_instance is {rate_per_instance}, but it must be above 0")
    quotient = peak_rate * (100 + headroom_percent) / 100 / rate_per_instance
    instances = math.ceil(quotient * (1 - 1e-9))  # rounding of floats buys no instance
    return {"instances": instances, "gpus": instances * gpus_per_instance}


def dollars_per_mtok(
    gpus: int, dollars_per_gpu_hour: float, hourly_rates: list[float], input_tokens: float, output_tokens: float
) -> float:
    """Dollars of the fleet per million output tokens, over the hours given; the input only uses up capacity."""
    mean_rate = math.fsum(hourly_rates) / len(hourly_rates)
    mtok_per_hour = mean_rate * 3600 * output_tokens / 1e6
    if mtok_per_hour == 0:
        raise ValueError("no output token is produced, so none has a price")
    return gpus * dollars_per_gpu_hour / mtok_per_hour
