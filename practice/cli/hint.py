"""`judge.py hint 184`: the hints, one more at a time."""

import sys

import click

from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.calling import typed
from practice.cli.checkout import Checkout
from practice.cli.prompt import markdown
from practice.cli.style import Style
from practice.kernel.errors import PracticeError


@click.command("hint")
@exercise_argument
@click.argument("which", type=click.IntRange(1), required=False)
def command(exercise: str, which: int | None) -> int:
    """Read the next hint, or hint WHICH again. There are three, from a nudge to nearly there.

    \b
    Examples: judge.py hint 184
              judge.py hint 184 1
    """
    checkout = Checkout.here()
    whole = read_exercise(checkout.catalog.find(exercise).folder)
    if not whole.hints:
        raise PracticeError(f"exercise {whole.number} has no hints", f"`{typed(f'show {whole.number}')}` prints the question")
    index = which or _next(checkout, whole.number, len(whole.hints))
    if index > len(whole.hints):
        raise PracticeError(f"exercise {whole.number} has {len(whole.hints)} hints, so there is no hint {index}")
    checkout.note("hint", whole.number, index=index)
    style = Style.of(sys.stdout)
    print(style.bold(f"{whole.number}  {whole.title}: hint {index} of {len(whole.hints)}"))
    print()
    print(markdown(whole.hints[index - 1], style))
    if index < len(whole.hints):
        print(f"\n{style.dim('one more: ' + typed(f'hint {whole.number}'))}")
    else:
        print(f"\n{style.dim('this was the last one; the worked answer: ' + typed(f'solution {whole.number}'))}")
    return 0


def _next(checkout: Checkout, number: int, most: int) -> int:
    standing = checkout.standings().get(number)
    return min(standing.hints + 1, most) if standing else 1
