"""Prefill and decode instances, with hit rates in whole thousandths."""


def size_pools(phases: list[dict], prefill_speed: int, decode_speed: int) -> dict:
    """Instances per phase, and in all for fixed and for flexible roles."""
    for name, speed in (("prefill_speed", prefill_speed), ("decode_speed", decode_speed)):
        if speed < 1:
            raise ValueError(f"{name} is {speed}, but it must be 1 or more")
    per_phase = [size_phase(phase, prefill_speed, decode_speed) for phase in phases]
    prefill, decode = zip(*per_phase) if per_phase else ((), ())
    return {
        "per_phase": per_phase,
        "fixed": max(prefill, default=0) + max(decode, default=0),
        "flexible": max(map(sum, per_phase), default=0),
    }


def size_phase(phase, prefill_speed, decode_speed):
    """(prefill, decode) instances of one phase."""
    if not 0 <= phase["hit"] <= 1:
        raise ValueError(f"hit is {phase['hit']}, but it must be between 0 and 1")
    rate = phase["rate"]
    if rate == 0:
        return 0, 0
    missed_thousandths = 1000 - round(phase["hit"] * 1000)  # hit has at most three decimals
    prefill = ceil_div(rate * phase["prompt"] * missed_thousandths, 1000 * prefill_speed)
    return max(1, prefill), ceil_div(rate * phase["output"], decode_speed)


def ceil_div(a, b):
    """a / b, rounded up."""
    return -(-a // b)
