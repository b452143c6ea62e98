"""`judge.py show 184`: the question."""

import json
import sys

import click

from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.checkout import Checkout
from practice.cli.prompt import python, question
from practice.cli.style import Style

OPEN = (
    *("number", "slug", "title", "topic", "level", "minutes", "entry"),
    *("prompt", "starter", "requires", "chapter", "needs", "next", "sources"),
)
"""The fields a learner may see before solving it."""


@click.command("show")
@exercise_argument
@click.option("--starter", is_flag=True, help="Print the starter instead.")
@click.option("--json", "as_json", is_flag=True, help="Print what a learner may see as JSON.")
def command(exercise: str, starter: bool, as_json: bool) -> int:
    """Print an exercise's question.

    Example: judge.py show 184
    """
    checkout = Checkout.here()
    whole = read_exercise(checkout.catalog.find(exercise).folder)
    if as_json:
        print(json.dumps({key: getattr(whole, key) for key in OPEN}, indent=2))
    elif starter:
        print(python(whole.starter, Style.of(sys.stdout)))
    else:
        print(question(whole, Style.of(sys.stdout)))
    return 0
