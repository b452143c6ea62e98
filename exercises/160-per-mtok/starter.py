"""Exercise 160: dollars per million output tokens."""


def fleet(peak_rate: float, headroom_percent: int, rate_per_instance: float, gpus_per_instance: int) -> dict:
    """Whole instances and their GPUs for the peak plus headroom: {"instances": int, "gpus": int}.

    peak_rate, rate_per_instance: requests per second.
    headroom_percent: margin on top of the peak, in percent of it.
    Raises ValueError when rate_per_instance is not above 0.
    """
    raise NotImplementedError


def dollars_per_mtok(
    gpus: int, dollars_per_gpu_hour: float, hourly_rates: list[float], input_tokens: float, output_tokens: float
) -> float:
    """Dollars of the fleet per million output tokens, over the hours given.

    hourly_rates: average requests per second in each hour.
    input_tokens, output_tokens: per request.
    Raises ValueError when no output token is produced.
    """
    raise NotImplementedError
