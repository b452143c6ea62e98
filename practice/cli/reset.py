"""`judge.py reset 184`: back to the starter, the learner's file kept as a backup."""

import os
import time
from pathlib import Path

import click

from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.attempt import is_starter, read_source
from practice.cli.checkout import Checkout, shown
from practice.cli.start import make_answer
from practice.kernel.errors import PracticeError


@click.command("reset")
@exercise_argument
def command(exercise: str) -> int:
    """Begin again from the starter. Your file is moved to answers/backup/ first; nothing is lost.

    Example: judge.py reset 184
    """
    checkout = Checkout.here()
    entry = checkout.catalog.find(exercise)
    whole = read_exercise(entry.folder)
    own = checkout.answer(entry)
    if own.exists() and is_starter(read_source("", own).data, whole):
        print(f"{shown(own)} is the starter already")
        return 0
    kept = back_up(own) if own.exists() else None
    try:
        make_answer(own, whole.starter)
    except PracticeError:
        if kept and not own.exists():
            os.replace(kept, own)
        raise
    if kept:
        print(f"your file is now {shown(kept)}")
    print(f"{shown(own)} is the starter again")
    return 0


def back_up(path: Path) -> Path:
    """Moves a file to backup/ beside it, under a name of its own, and returns where it is now."""
    folder = path.parent / "backup"
    try:
        return _moved(path, folder)
    except OSError as error:
        hint = "nothing was changed; make the folder writable, or name another one in PRACTICE_ANSWERS"
        raise PracticeError(f"{shown(path)} cannot be moved to {shown(folder)}: {error.strerror}", hint) from None


def _moved(path: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for count in range(1000):
        target = folder / f"{path.stem}-{stamp}{f'-{count}' if count else ''}{path.suffix}"
        try:
            # A name is taken by making it: two resets in one second get two names.
            target.open("x").close()
        except FileExistsError:
            continue
        os.replace(path, target)
        return target
    raise FileExistsError(17, f"no free name in {folder}")
