"""`judge.py next`: which exercise to try next."""

import json
import sys

import click

from practice.cli.calling import typed
from practice.cli.checkout import Checkout
from practice.cli.style import Style
from practice.catalog.suggestion import next_exercise


@click.command("next")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(as_json: bool) -> int:
    """Say which exercise to try next: the path you are on first, then the easiest open one of its topic.

    Example: judge.py next
    """
    checkout = Checkout.here()
    with checkout.progress as progress:
        solved = {number for number, standing in progress.standings().items() if standing.solved_at is not None}
        entry = next_exercise(checkout.catalog, solved, progress.last())
    if as_json:
        print(json.dumps({"number": entry.number, "id": entry.id, "title": entry.title} if entry else None))
    elif entry is None:
        print("every exercise here is solved")
    else:
        style = Style.of(sys.stdout)
        about = f"{entry.topic}, {entry.level}, about {entry.minutes} minutes"
        print(f"{style.bold(f'{entry.number}  {entry.title}')}  {style.dim(about)}")
        print(f"  {style.cyan(typed(str(entry.number)))}")
    return 0
