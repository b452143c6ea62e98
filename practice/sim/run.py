"""A run of decode steps with nothing admitted and nothing finished, in closed form.

While the same requests decode, the context grows by the same amount in every step, so computing time and reading time
are two straight lines in the step number and a step takes the higher of the two, plus a fixed part that is a straight
line as well. The time of m steps is then a sum of two arithmetic series.
"""

from math import ceil, inf, sqrt
from typing import NamedTuple

from practice.sim.setup import Setup
from practice.sim.step import decode_pairs, draft_seconds, fixed_seconds, reading_seconds


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
    grown = decoding * setup.tokens_per_round
    flops = setup.peak_flops * setup.mfu
    compute = (2 * setup.params * tokens + setup.attention_flops * decode_pairs(setup, decoding, context)) / flops
    memory_growth = setup.kv_bytes_per_token * grown / (setup.bandwidth * setup.mbu)
    return Shape(
        compute, setup.attention_flops * width * grown / flops,
        reading_seconds(setup, tokens, context), memory_growth,
        fixed_seconds(setup, tokens, decoding) + draft_seconds(setup, decoding, context),
        setup.draft_tokens * setup.draft_cost * memory_growth,
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
    if low_growth > high_growth and high - low < steps * (low_growth - high_growth):
        before = ceil((high - low) / (low_growth - high_growth))
    total = before * high + high_growth * ((before - 1) * before) / 2
    if before < steps:
        after = steps - before
        total += after * low + low_growth * ((before + steps - 1) * after) / 2
    return total + steps * fixed + fixed_growth * ((steps - 1) * steps) / 2


def steps_until(start: float, target: float, least: int, most: int, shape: tuple) -> int:
    """The smallest number of steps, from `least` to `most`, after which a run begun at `start` is at `target` or later.

    `most` where none is.
    """
    compute, compute_growth, memory, memory_growth, fixed, fixed_growth = shape
    # A run lasts at least as long as either line alone says, so each gives an upper bound.
    guess = min(steps_on_line(target - start, compute + fixed, compute_growth + fixed_growth),
                steps_on_line(target - start, memory + fixed, memory_growth + fixed_growth))
    high = max(least, min(most, guess))
    while high < most and start + elapsed(high, *shape) < target:  # rounding put the guess a step too low
        high += 1
    low = least - 1
    if high - 2 > low and start + elapsed(high - 2, *shape) < target:  # right up to rounding, as a rule
        low = high - 2
    while high - low > 1:  # the answer is in (low, high]
        middle = (low + high) // 2
        if start + elapsed(middle, *shape) < target:
            low = middle
        else:
            high = middle
    return high


def steps_on_line(seconds: float, base: float, growth: float) -> float:
    """Smallest m, up to rounding, with m * base + growth * m * (m - 1) / 2 >= seconds; inf where there is none."""
    if seconds == inf or (base <= 0 and growth <= 0):
        return inf
    if growth <= 0:
        return ceil(seconds / base)
    half = base - growth / 2
    root = sqrt(half * half + 2 * growth * max(seconds, 0.0))
    # The form that does not subtract two nearly equal numbers where the growth is tiny.
    return ceil(2 * seconds / (root + half)) if half > 0 else ceil((root - half) / growth)
