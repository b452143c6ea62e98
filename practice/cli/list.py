"""`judge.py list`: the exercises, with where the learner stands."""

import json
import sys
from dataclasses import asdict

import click

from practice.catalog.find import Entry
from practice.catalog.topic import LEVELS, TOPICS
from practice.cli.checkout import Checkout
from practice.cli.style import Style
from practice.kernel.errors import NotFound
from practice.progress.standing import Standing

STATES = ("new", "started", "tried", "solved")


@click.command("list")
@click.option("--topic", "-t", metavar="TOPIC", help="Only this topic, such as kv-cache; its beginning will do.")
@click.option("--level", "-l", type=click.Choice(LEVELS), help="Only this level.")
@click.option("--status", "-s", type=click.Choice((*STATES, "open")), help="Only these; `open` is all that is not solved.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(topic: str | None, level: str | None, status: str | None, as_json: bool) -> int:
    """List the exercises, with where you stand.

    \b
    Examples: judge.py list
              judge.py list --topic kv-cache --level easy --status open
    """
    checkout = Checkout.here()
    topics = _topics(topic) if topic else tuple(TOPICS)
    standings = checkout.standings()
    rows = []
    for entry in checkout.catalog.all():
        standing = standings.get(entry.number, Standing(entry.number))
        if entry.topic in topics and level in (None, entry.level) and _has(standing, status):
            rows.append((entry, standing))
    if as_json:
        print(json.dumps([_as_json(entry, standing) for entry, standing in rows], indent=2))
    else:
        _print(rows, Style.of(sys.stdout))
    for name in checkout.catalog.unreadable():
        print(f"{name} cannot be read; `judge.py check {name}` says why", file=sys.stderr)
    return 0


def _topics(word: str) -> tuple[str, ...]:
    found = (word,) if word in TOPICS else tuple(slug for slug in TOPICS if slug.startswith(word.lower()))
    if not found:
        import difflib

        near = tuple(difflib.get_close_matches(word.lower(), TOPICS, n=3, cutoff=0.4)) or tuple(TOPICS)
        raise NotFound(f'no topic "{word}"', f"the nearest are {', '.join(near)}", near)
    return found


def _has(standing: Standing, status: str | None) -> bool:
    return status in (None, standing.state) or (status == "open" and standing.state != "solved")


def _as_json(entry: Entry, standing: Standing) -> dict[str, object]:
    exercise = {key: value for key, value in asdict(entry).items() if key != "folder"}
    own = {key: value for key, value in asdict(standing).items() if key != "number"}
    return {"id": entry.id, **exercise, "state": standing.state, **own}


def _print(rows: list[tuple[Entry, Standing]], style: Style) -> None:
    topic = None
    for entry, standing in rows:
        if entry.topic != topic:
            print(("\n" if topic else "") + style.bold(entry.topic))
            topic = entry.topic
        room = style.width - 38
        title = entry.title if len(entry.title) <= room else entry.title[: room - 4] + " ..."
        about = f"{entry.level:6} {entry.minutes:3} min"
        print(f"  {entry.number}  {title:{room}}  {style.dim(about)}  {_state(standing, style)}".rstrip())
    solved = sum(standing.state == "solved" for _, standing in rows)
    print(f"\n{len(rows)} exercises, {solved} solved" if rows else "no exercise is like that")


def _state(standing: Standing, style: Style) -> str:
    if standing.state == "solved":
        return style.green("solved")
    if standing.state == "tried":
        return style.yellow(f"{standing.passed} of {standing.total}" if standing.total else "tried")
    return "started" if standing.state == "started" else ""
