"""How many prefill and decode instances.

A ceiling over floats counts one too many as soon as the quotient is whole and a rounding error sits on top of it. So the count is done in
integers: the hit rate has three decimals, in thousandths it is whole.
"""


def size_pools(phases, prefill_speed, decode_speed):
    """Instances per phase, and in all for fixed and for flexible roles."""
    for name, speed in (("prefill_speed", prefill_speed), ("decode_speed", decode_speed)):
        if speed < 1:
            raise ValueError(f"{name} is {speed}, but an instance does at least 1 token a second")
    per_phase = [phase_pools(phase, prefill_speed, decode_speed) for phase in phases]
    return {
        "per_phase": per_phase,
        # Fixed roles: the worst phase of one pool need not be that of the other.
        "fixed": max((p for p, _ in per_phase), default=0) + max((d for _, d in per_phase), default=0),
        "flexible": max((p + d for p, d in per_phase), default=0),
    }


def phase_pools(phase, prefill_speed, decode_speed):
    """(prefill, decode) instances of one phase."""
    if not 0 <= phase["hit"] <= 1:
        raise ValueError(f"hit is {phase['hit']}, but it must be between 0 and 1")
    if phase["rate"] == 0:
        return 0, 0
    missed = 1000 - round(phase["hit"] * 1000)
    prefill = ceil_div(phase["rate"] * phase["prompt"] * missed, 1000 * prefill_speed)
    decode = ceil_div(phase["rate"] * phase["output"], decode_speed)
    # Decode is never 0 here. Prefill is when everything is cached, and then the last token still has to be computed.
    return max(1, prefill), decode


def ceil_div(a, b):
    """The ceiling of a / b for whole numbers, exactly."""
    return -(-a // b)
