import math


def fleet(peak_rate: float, headroom_percent: int, rate_per_instance: float, gpus_per_instance: int) -> dict:
    if not rate_per_instance > 0:
        raise ValueError(f"an instance serves {rate_per_instance} requests/s, so no fleet is large enough")
    exact = peak_rate * (100 + headroom_percent) / 100 / rate_per_instance
    nearest = round(exact)
    instances = nearest if math.isclose(exact, nearest, rel_tol=1e-9) else math.ceil(exact)
    return {"instances": instances, "gpus": instances * gpus_per_instance}


def dollars_per_mtok(
    gpus: int, dollars_per_gpu_hour: float, hourly_rates: list[float], input_tokens: float, output_tokens: float
) -> float:
    dollars = gpus * dollars_per_gpu_hour
    requests = max(hourly_rates) * 3600
    tokens = requests * output_tokens
    if tokens == 0:
        raise ValueError("no output token is produced, so there is no price per token")
    return dollars / tokens * 1e6
