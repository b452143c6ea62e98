"""`judge.py doctor`: what this machine offers, found by trying it."""

import json
import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from practice.cli.attempt import open_backend
from practice.cli.checkout import Checkout, shown
from practice.cli.needs import PACKAGES, missing
from practice.cli.style import Style
from practice.cli.text import count, wrap
from practice.kernel.errors import PracticeError
from practice.kernel.exercise import Limits


@dataclass(frozen=True)
class Fact:
    """One thing that was looked at."""

    about: str
    holds: bool
    says: str


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(as_json: bool) -> int:
    """Say what this machine offers, and what holds: each forbidden act is tried in a throw-away process.

    Example: judge.py doctor
    """
    from practice.runner.doctor import examine

    facts = list(_facts(Checkout.here()))
    with open_backend() as backend:
        isolation, speed = backend.isolation(), backend.limit_seconds(Limits(seconds=1.0))
    acts = examine()
    if as_json:
        found = {"format": 1, "facts": list(map(asdict, facts)), "isolation": isolation, "speed": speed, "acts": list(map(asdict, acts))}
        print(json.dumps(found, indent=2))
    else:
        style = Style.of(sys.stdout)
        _print("this machine", [*facts, _speed(speed)], style)
        print()
        _print_isolation(isolation, style)
        _print("what a submission tried", [Fact(act.act, act.holds, _shorter(act.says)) for act in acts], style)
        bad = [fact for fact in (*facts, *acts) if not fact.holds]
        print("\n" + (style.green("everything holds") if not bad else style.yellow(f"{count(len(bad), 'line')} above did not hold")))
    return 0 if all(fact.holds for fact in facts) and all(act.holds for act in acts) else 1


def _facts(checkout: Checkout) -> Iterator[Fact]:
    yield Fact("Python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}, {shown(Path(sys.executable))}")
    absent = missing(PACKAGES)
    yield Fact("packages", not absent, f"missing: {', '.join(absent)}" if absent else f"all {len(PACKAGES)} are there")
    unreadable = checkout.catalog.unreadable()
    says = count(len(checkout.catalog.folders), "exercise") + (f", cannot be read: {', '.join(unreadable)}" if unreadable else "")
    yield Fact("exercises", not unreadable and bool(checkout.catalog.folders), says)
    yield _answers(checkout)
    try:
        with checkout.progress as progress:
            yield Fact("progress", True, count(len(progress.events()), "event"))
    except PracticeError as error:
        yield Fact("progress", False, error.message)


def _answers(checkout: Checkout) -> Fact:
    """Writable: the folder, or where it is not made yet, the first one above it."""
    folder = checkout.answers
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    writable = os.access(folder, os.W_OK)
    return Fact("answers", writable, f"{shown(checkout.answers)}, {'writable' if writable else 'cannot be written'}")


def _shorter(says: str) -> str:
    """Without the error number, the path and a class that its words repeat."""
    return re.sub(r"^PermissionError: (?=[A-Z])|: '[^']*'$", "", re.sub(r"\[Errno \d+\] ", "", says)).rstrip(": ")


def _speed(speed: float) -> Fact:
    return Fact("time limits", True, f"stretched by {speed:.2f}, as measured here")


def _print_isolation(isolation: dict[str, Any], style: Style) -> None:
    layers, lacking = ", ".join(isolation["layers"]) or "none", ", ".join(isolation["missing"])
    text = f"isolation level {isolation['level']} of 4; layers: {layers}" + (f"; missing: {lacking}" if lacking else "")
    print("\n".join(wrap(text, style.width)) + "\n")


def _print(heading: str, facts: list[Fact], style: Style) -> None:
    print(style.bold(heading))
    width = max(len(fact.about) for fact in facts)
    for fact in facts:
        mark = style.green("ok") if fact.holds else style.red("no")
        says = "".join(wrap(fact.says, style.width - width - 8, 1))
        print(f"  {mark}  {fact.about.ljust(width)}  {style.dim(says)}")
