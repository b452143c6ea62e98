"""What a row of the corpus is, the exercises its submissions pretend to solve, and what may be left of it."""

from dataclasses import dataclass

from practice.kernel.exercise import Exercise, Limits
from practice.kernel.verdict import Status

AC, WA, TL, ML, OL, RE, CE = (
    Status.ACCEPTED,
    Status.WRONG_ANSWER,
    Status.TIME_LIMIT,
    Status.MEMORY_LIMIT,
    Status.OUTPUT_LIMIT,
    Status.RUNTIME_ERROR,
    Status.COMPILE_ERROR,
)


@dataclass(frozen=True)
class Row:
    """One submission."""

    name: str
    expected: frozenset[Status]
    """The verdicts it may get."""
    source: bytes
    needs: frozenset[str] = frozenset()
    """Layers without which it is not run: it would multiply, fill or reach something outside."""
    exercise: str = "running"
    """"running", "numpy" (the same, with numpy to be had) or "softmax"."""


GOOD = """
def running(numbers):
    total, totals = 0, []
    for number in numbers:
        total += number
        totals.append(total)
    return totals
"""
"""The right answer, which many rows begin with and then spoil."""

GOOD_SOFTMAX = """
import numpy as np
def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()
"""

RUNNING_CHECKS = '''"""Hidden checks: running totals."""

from practice.kernel.expect import expect_equal

SECRET = [1, 3, 6]


def check_example(sub):
    """The worked example"""
    expect_equal(sub.running([1, 2, 3]), SECRET, "each total adds the next number")


def check_input_is_kept(sub):
    """The input is not changed"""
    numbers = [5, -5, 7]
    expect_equal(sub.running(numbers), [5, 0, 7], "negative numbers count, too")
    assert numbers == [5, -5, 7], "the input is the caller's"


def check_random(sub, ref, rng):
    """Ten random lists"""
    for _ in range(10):
        numbers = [rng.randrange(-99, 99) for _ in range(rng.randrange(2, 20))]
        expect_equal(sub.running(list(numbers)), ref.running(list(numbers)), "running totals")
'''

SOFTMAX_CHECKS = '''"""Hidden checks: softmax."""

import numpy as np

from practice.kernel.expect import expect_close


def check_example(sub):
    """Two equal scores"""
    expect_close(sub.softmax(np.array([0.0, 0.0])), np.array([0.5, 0.5]), "equal scores share")


def check_random(sub, ref, rng):
    """Random scores"""
    scores = np.array([rng.uniform(-5, 5) for _ in range(16)])
    expect_close(sub.softmax(scores.copy()), ref.softmax(scores.copy()), "scores sum to one")
'''


def exercise_of(row: Row, seconds: float = 0.3) -> Exercise:
    """The exercise a row is judged on, with limits that keep the whole corpus short."""
    limits = Limits(seconds=seconds, memory=96 * 2**20, output=16 * 2**10)
    if row.exercise == "softmax":
        return Exercise(2, "softmax", "Softmax", "attention", "easy", 5, ("softmax",), SOFTMAX_CHECKS, solution=GOOD_SOFTMAX,
                        limits=limits, requires=("numpy",))  # fmt: skip
    return Exercise(1, "running", "Running totals", "estimation", "easy", 5, ("running",), RUNNING_CHECKS, solution=GOOD,
                    limits=limits, requires=("numpy",) if row.exercise == "numpy" else ())  # fmt: skip


def row(name: str, expected: str, source: str | bytes, needs: str = "", exercise: str = "running", good: bool = True) -> Row:
    """A row from short words: expected as "WA RE", needs as layers; `good` puts the right answer first."""
    statuses = frozenset(globals()[word] for word in expected.split())
    if isinstance(source, str):
        start = (GOOD_SOFTMAX if exercise == "softmax" else GOOD) if good else ""
        source = (start + source).encode("utf-8", "surrogatepass")
    return Row(name, statuses, source, frozenset(needs.split()), exercise)
