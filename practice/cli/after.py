"""`judge.py after 184`: the interviewer's follow-ups."""

import sys

import click

from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.checkout import Checkout
from practice.cli.prompt import markdown
from practice.cli.style import Style


@click.command("after")
@exercise_argument
def command(exercise: str) -> int:
    """Read what an interviewer asks next, with answers, trade-offs and sources. Best after solving it.

    Example: judge.py after 184
    """
    checkout = Checkout.here()
    whole = read_exercise(checkout.catalog.find(exercise).folder)
    checkout.note("after", whole.number)
    style = Style.of(sys.stdout)
    print(style.bold(f"{whole.number}  {whole.title}: what an interviewer asks next"))
    print()
    print(markdown(whole.after, style))
    if whole.sources and "## Sources" not in whole.after:
        print("\nsources")
        print("\n".join(f"  {source}" for source in whole.sources))
    return 0
