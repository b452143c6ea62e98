"""`judge.py progress`: what the learner has done; out as JSON and in again."""

import json
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import click

from practice.catalog.topic import TOPICS
from practice.cli.checkout import Checkout
from practice.cli.style import Style
from practice.cli.text import count, duration
from practice.kernel.errors import PracticeError
from practice.progress.standing import Standing


@click.group("progress", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print where you stand with each exercise as JSON.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> int | None:
    """Show what you have done, or hand it to another place: the browser, another machine.

    \b
    Examples: judge.py progress
              judge.py progress export progress.json
              judge.py progress import progress.json
    """
    if ctx.invoked_subcommand is None:
        return _show(as_json)
    return None


@command.command("export")
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
def export(file: TextIO) -> int:
    """Write everything as JSON, to FILE or standard output.

    Example: judge.py progress export progress.json
    """
    checkout = Checkout.here()
    if file.name != "-":
        checkout.spare(Path(file.name))
    with checkout.progress as progress:
        json.dump(progress.export(), file, indent=1)
    file.write("\n")
    return 0


@command.command("import")
@click.argument("file", type=click.File("r", encoding="utf-8"))
def import_(file: TextIO) -> int:
    """Add what FILE has and this place has not. Nothing is taken away, and doing it twice changes nothing.

    Example: judge.py progress import progress.json
    """
    try:
        data = json.load(file)
    except ValueError as error:
        raise PracticeError(f"{file.name} is not JSON: {error}", "export it again") from None
    with Checkout.here().progress as progress:
        added = progress.import_(data)
    print(f"{count(added, 'event')} added, {count(len(data['events']) - added, 'event')} known already")
    return 0


def _show(as_json: bool) -> int:
    checkout = Checkout.here()
    with checkout.progress as progress:
        standings = progress.standings()
    if as_json:
        print(json.dumps([_as_json(standing) for standing in standings.values()], indent=2))
        return 0
    entries = {entry.number: entry for entry in checkout.catalog.all()}
    style = Style.of(sys.stdout)
    known = {number: standing for number, standing in standings.items() if number in entries}
    for number, standing in known.items():
        print(f"{number}  {entries[number].title[:42]:42}  {_words(standing, style)}")
    if not known:
        print("nothing yet")
    solved = [number for number, standing in known.items() if standing.solved_at is not None]
    print(f"\n{len(solved)} of {count(len(entries), 'exercise')} solved, {duration(sum(s.seconds for s in known.values()))} of practice")
    topics = [topic for topic in TOPICS if any(entries[number].topic == topic for number in known)]
    for topic in topics:
        of_topic = [number for number, entry in entries.items() if entry.topic == topic]
        print(f"  {topic:16} {sum(number in solved for number in of_topic):3} of {len(of_topic)}")
    return 0


def _words(standing: Standing, style: Style) -> str:
    attempts = count(standing.attempts, "attempt")
    if standing.solved_at is not None:
        day = time.strftime("%d %b %Y", time.localtime(standing.solved_at))
        return f"{style.green('solved')} {day}, {attempts}"
    if standing.attempts:
        return f"{style.yellow(f'{standing.passed} of {standing.total}')}, {attempts}"
    return "started"


def _as_json(standing: Standing) -> dict[str, Any]:
    from dataclasses import asdict

    return {"state": standing.state, **asdict(standing)}
