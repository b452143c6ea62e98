"""`judge.py test`: a verdict on one answer, on some, or on all there are."""

import json
import sys
from dataclasses import replace
from typing import Any

import click

from practice.catalog.find import Entry
from practice.catalog.read import read_exercise
from practice.cli.argument import exercises_argument, judging_options
from practice.cli.attempt import Request, Source, attempt, exit_code, is_starter, judge, open_backend, publish, read_source, remember
from practice.cli.calling import typed
from practice.cli.checkout import Checkout
from practice.cli.style import Style
from practice.kernel.errors import PracticeError
from practice.kernel.verdict import Status, Verdict, to_json


@click.command("test")
@exercises_argument
@judging_options
def command(exercises: tuple[str, ...], file: str, only: tuple[str, ...], **options: Any) -> int:
    """Judge one answer, some of them, or all that you have.

    \b
    Examples: judge.py test          all your answers, one line each
              judge.py test 184      the same as judge.py 184
              judge.py test 180 184 --junit report.xml
    """
    if len(exercises) == 1:
        return attempt(Request(exercises[0], file, only, **options))
    if file or only:
        raise PracticeError("--file and --only go with one exercise", "name one, as in `judge.py test 184 --file my.py`")
    checkout = Checkout.here()
    entries = [checkout.catalog.find(name) for name in exercises] or _answered(checkout)
    if not entries:
        raise PracticeError(f"there are no answers in {checkout.answers} yet", f"`{typed('start 184')}` makes the first")
    return _judge_all(checkout, entries, Request("", **options))


def _answered(checkout: Checkout) -> list[Entry]:
    catalog = checkout.catalog
    names = sorted(int(path.stem) for path in checkout.answers.glob("*.py") if path.stem.isdecimal())
    return [entry for entry in map(catalog.at, names) if entry is not None]


def _judge_all(checkout: Checkout, entries: list[Entry], request: Request) -> int:
    style = Style.of(sys.stdout)
    judged: list[tuple[Verdict, Source]] = []
    with open_backend() as backend:
        for entry in entries:
            source = read_source("", checkout.answer(entry))
            exercise = read_exercise(entry.folder)
            verdict = judge(replace(request, exercise=entry.id), exercise, source, backend)
            begun = not is_starter(source.data, exercise)
            if begun:
                remember(checkout, source, exercise, verdict)
            judged.append((verdict, source))
            if not request.as_json:
                print(_line(entry, verdict, style, begun), flush=True)
    publish(request, judged)
    verdicts = [verdict for verdict, _ in judged]
    if request.as_json:
        print(json.dumps([to_json(verdict) for verdict in verdicts], indent=2))
    else:
        passed = sum(verdict.status is Status.ACCEPTED for verdict in verdicts)
        print(f"\n{passed} of {len(verdicts)} passed")
    return exit_code(verdicts)


def _line(entry: Entry, verdict: Verdict, style: Style, begun: bool) -> str:
    tint = style.green if verdict.status is Status.ACCEPTED else style.red if begun else style.dim
    said = tint(verdict.status.value if begun else "still the starter")
    return f"{entry.number}  {entry.title[:44]:44}  {verdict.passed:2} of {len(verdict.checks):2}  {said}"
