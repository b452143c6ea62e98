"""`judge.py solution 184`: the worked answer; asks first unless the exercise is solved."""

import sys

import click

from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.calling import typed
from practice.cli.checkout import Checkout
from practice.cli.prompt import python
from practice.cli.style import Style
from practice.kernel.errors import PracticeError


@click.command("solution")
@exercise_argument
@click.option("--yes", "-y", is_flag=True, help="Do not ask first.")
def command(exercise: str, yes: bool) -> int:
    """Read the worked answer. Asks first while you have not solved the exercise.

    Example: judge.py solution 184
    """
    checkout = Checkout.here()
    whole = read_exercise(checkout.catalog.find(exercise).folder)
    standing = checkout.standings().get(whole.number)
    solved = standing is not None and standing.solved_at is not None
    if not solved and not yes and not _is_sure(whole.number):
        print(f"\nhint: `{typed(f'hint {whole.number}')}` tells less", file=sys.stderr)
        return 1
    checkout.note("solution", whole.number)
    print(python(whole.solution, Style.of(sys.stdout)))
    return 0


def _is_sure(number: int) -> bool:
    if not sys.stdin.isatty():
        text = f"exercise {number} is not solved yet, and there is nobody here to ask"
        raise PracticeError(text, "`--yes` shows the answer all the same")
    return click.confirm(f"Exercise {number} is not solved yet. Show the answer", default=False, err=True)
