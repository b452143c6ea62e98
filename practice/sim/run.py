"""A run of decode steps with nothing admitted and nothing finished, in closed form.

While the same requests decode, the context grows by the same amount in every step, so computing time and reading time
are two straight lines in the step number and a step takes the higher of the two, plus a fixed part that is a straight
line as well. The time of m steps is then a sum of two arithmetic series.
"""

from math import ceil, sqrt
from typing import NamedTuple

from practice.sim.setup import Setup
from practice.sim.step import fixed_seconds, untouched_share


class Shape(NamedTuple):
    """Seconds of the step number i of a run, i from 0: max(compute + i * ..., memory + i * ...) + fixed + i * ..."""

    compute: float
    compute_growth: float
    memory: float
    memory_growth: float
    fixed: float
    fixed_growth: float


def decode_shape(setup: Setup, decoding: int, context: float) -> Shape:
    """The Shape of a run that starts with `decoding` requests and their `context` tokens in the KV cache."""
    width = setup.draft_tokens + 1
    tokens = decoding * width
    flops = setup.peak_flops * setup.mfu
    bandwidth = setup.bandwidth * setup.mbu
    weights = setup.weight_bytes
    if setup.experts:
        weights -= setup.expert_bytes * untouched_share(setup, tokens)
    grown = decoding * setup.tokens_per_round
    pairs = width * context + decoding * width * (width + 1) / 2
    compute = (2 * setup.params * tokens + setup.attention_flops * pairs) / flops
    memory = (weights + setup.kv_bytes_per_token * context) / bandwidth
    memory_growth = setup.kv_bytes_per_token * grown / bandwidth
    draft = setup.draft_tokens * setup.draft_cost
    return Shape(
        compute, setup.attention_flops * width * grown / flops, memory, memory_growth,
        fixed_seconds(setup, tokens, decoding) + draft * memory, draft * memory_growth,
    )


def elapsed(steps: int, compute: float, compute_growth: float, memory: float, memory_growth: float, fixed: float,
            fixed_growth: float) -> float:
    """Seconds that the first `steps` steps of a run take together.

    Example: memory 5 ms growing by 1 ms a step and nothing else: elapsed(3, 0, 0, 5e-3, 1e-3, 0, 0) is 18 ms.
    """
    if memory >= compute:
        high, high_growth, low, low_growth = memory, memory_growth, compute, compute_growth
    else:
        high, high_growth, low, low_growth = compute, compute_growth, memory, memory_growth
    before = steps
    if low_growth > high_growth:
        before = min(steps, ceil((high - low) / (low_growth - high_growth)))
    total = before * high + high_growth * ((before - 1) * before) / 2
    if before < steps:
        after = steps - before
        total += after * low + low_growth * ((before + steps - 1) * after) / 2
    return total + steps * fixed + fixed_growth * ((steps - 1) * steps) / 2


def steps_until(seconds: float, least: int, most: int, shape: tuple) -> int:
    """The smallest number of steps from `least` to `most` that take `seconds` or more; `most` where none does."""
    if elapsed(least, *shape) >= seconds or least >= most:
        return least
    compute, compute_growth, memory, memory_growth, fixed, fixed_growth = shape
    # The run can only be longer than either line alone says, so the two lines give an upper bound each.
    guess = most
    for base, growth in ((compute, compute_growth), (memory, memory_growth)):
        guess = min(guess, _steps_on_line(seconds, base + fixed, growth + fixed_growth))
    guess = max(guess, least)
    if elapsed(guess, *shape) < seconds:
        return _climb(seconds, guess, most, shape)
    low, high = least, guess
    if elapsed(max(guess - 2, least), *shape) < seconds:
        low = max(guess - 2, least)
    while high - low > 1:  # elapsed(low) < seconds <= elapsed(high)
        middle = (low + high) // 2
        if elapsed(middle, *shape) < seconds:
            low = middle
        else:
            high = middle
    return high


def _climb(seconds, steps, most, shape):
    """The answer when rounding put the guess a step or so too low."""
    while steps < most and elapsed(steps, *shape) < seconds:
        steps += 1
    return steps


def _steps_on_line(seconds, base, growth):
    """Smallest m, up to rounding, with m * base + growth * m * (m - 1) / 2 >= seconds."""
    if growth <= 0:
        return ceil(seconds / base) if base > 0 else 1 << 60
    half = base - growth / 2
    return ceil((sqrt(half * half + 2 * growth * seconds) - half) / growth)
