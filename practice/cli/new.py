"""`judge.py new 204 fragmentation`: a new exercise folder to fill."""

import click

from practice.catalog.new import new_exercise
from practice.cli.calling import typed
from practice.cli.checkout import Checkout, shown


@click.command("new")
@click.argument("number", type=int)
@click.argument("slug")
@click.option("--title", default="", help="Its title.")
def command(number: int, slug: str, title: str) -> int:
    """Make a new exercise folder: a small whole exercise to rewrite, with a TODO wherever your own words belong.

    Example: judge.py new 204 fragmentation --title "Waste of block sizes"
    """
    folder = new_exercise(Checkout.here().root, number, slug, title)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(shown(path))
    print(f"\n`{typed(f'check {number}')}` lists what is still to do")
    return 0
