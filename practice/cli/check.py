"""`judge.py check`: the audit of exercise folders."""

import json
import sys
import time
from pathlib import Path

import click

from practice.audit.audit import SEEDS, Progress, Report, audit
from practice.audit.finding import Finding
from practice.cli.argument import exercises_argument
from practice.cli.checkout import Checkout
from practice.cli.style import Style
from practice.cli.text import count, wrap
from practice.kernel.errors import NotFound


@click.command("check")
@exercises_argument
@click.option("--form", "form_only", is_flag=True, help="Only what the text of a folder shows; judge nothing.")
@click.option("--mutants", is_flag=True, help="Also make small mistakes in each solution and tell which no check notices.")
@click.option("--suggestions", is_flag=True, help="Also show what would be good to have.")
@click.option("--seed", type=int, help="Judge with this seed instead of the three that are always used.")
@click.option("--workers", type=click.IntRange(1), help="Processes that judge; all cores unless given.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(
    exercises: tuple[str, ...],
    form_only: bool,
    mutants: bool,
    suggestions: bool,
    seed: int | None,
    workers: int | None,
    as_json: bool,
) -> int:
    """Audit exercise folders and tell everything that is wrong with them, with file and key. All of them unless some are named.

    \b
    Examples: judge.py check
              judge.py check 184 200 --mutants
    """
    checkout = Checkout.here()
    folders = [_folder(checkout, name) for name in exercises] or list(checkout.catalog.folders.values())
    seeds = SEEDS if seed is None else (seed,)
    show = None if as_json or not sys.stderr.isatty() else _counter()
    report = audit(
        checkout.root,
        folders,
        with_mutants=mutants,
        seeds=seeds,
        workers=workers or 0,
        on_progress=show,
        form_only=form_only,
    )
    if show:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if as_json:
        print(json.dumps(_as_json(report), indent=2))
    else:
        _print(report, mutants or suggestions, Style.of(sys.stdout))
    return 1 if report.faults else 0


def _folder(checkout: Checkout, name: str) -> Path:
    """The folder that is meant, even where its exercise.toml cannot be read."""
    try:
        return checkout.catalog.folder_of(name)
    except NotFound:
        path = Path(name)
        if (path / "exercise.toml").is_file():
            return path.resolve()
        raise


def _counter() -> Progress:
    """Writes one line over and over, ten times a second at most."""
    last = 0.0

    def show(done: int, total: int, name: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > 0.1 or done == total:
            last = now
            print(f"\r\033[K{done} of {total} submissions judged  {name}", end="", file=sys.stderr, flush=True)

    return show


def _as_json(report: Report) -> dict[str, object]:
    return {
        "format": 1,
        "exercises": report.exercises,
        "submissions": report.submissions,
        "seconds": round(report.seconds, 3),
        "findings": [finding.to_json() for finding in report.findings],
    }


def _print(report: Report, with_suggestions: bool, style: Style) -> None:
    name = None
    for finding in report.findings:
        if finding.suggestion and not with_suggestions:
            continue
        if finding.exercise != name:
            name = finding.exercise
            print(style.bold(name))
        _print_finding(finding, style)
    rate = f", {report.submissions / report.seconds:.0f} a second" if report.seconds > 0 and report.submissions else ""
    print(f"{count(report.exercises, 'exercise')}, {count(report.submissions, 'submission')} judged in {report.seconds:.1f} s{rate}")
    faults = count(len(report.faults), "finding") if report.faults else "nothing to mend"
    more = count(len(report.suggestions), "suggestion") if report.suggestions else ""
    unseen = " (`--suggestions` shows them)" if more and not with_suggestions else ""
    print((style.red if report.faults else style.green)(faults) + (f", {more}{unseen}" if more else ""))


def _print_finding(finding: Finding, style: Style) -> None:
    tint = style.dim if finding.suggestion else style.red
    where = f"{finding.file or '.'}" + (f"  {style.dim(finding.key)}" if finding.key else "")
    print(f"  {tint('suggestion' if finding.suggestion else 'x')} {where}")
    for line in wrap(finding.message, style.width - 6, 8):
        print(f"      {line}")
    if finding.hint:
        for line in wrap(f"hint: {finding.hint}", style.width - 6, 3):
            print(f"      {style.dim(line)}")
