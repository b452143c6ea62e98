import math


def fleet(peak_rate: float, headroom_percent: int, rate_per_instance: float, gpus_per_instance: int) -> dict:
    if not rate_per_instance > 0:
        raise ValueError(f"an instance serves {rate_per_instance} requests/s, so no fleet is large enough")
    instances = math.ceil(peak_rate * (1 + headroom_percent / 100) / rate_per_instance)
    return {"instances": instances, "gpus": instances * gpus_per_instance}


def dollars_per_mtok(
    gpus: int, dollars_per_gpu_hour: float, hourly_rates: list[float], input_tokens: float, output_tokens: float
) -> float:
    dollars = gpus * dollars_per_gpu_hour * len(hourly_rates)
    requests = sum(hourly_rates) * 3600
    tokens = requests * output_tokens
    if tokens == 0:
        raise ValueError("no output token is produced, so there is no price per token")
    return dollars / tokens * 1e6
