"""`judge.py start 184`: makes the learner's file from the starter and prints the question. Never overwrites."""

import sys
from pathlib import Path

import click

from practice.catalog.find import Entry
from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.calling import typed
from practice.cli.checkout import Checkout, shown
from practice.cli.prompt import question
from practice.cli.style import Style, commands
from practice.cli.text import wrap
from practice.kernel.errors import PracticeError


@click.command("start")
@exercise_argument
def command(exercise: str) -> int:
    """Make your file for an exercise from its starter, and print the question.

    A file that is there already stays as it is.

    Example: judge.py start 184
    """
    checkout = Checkout.here()
    return start(checkout, checkout.catalog.find(exercise))


def start(checkout: Checkout, entry: Entry) -> int:
    """Makes `answers/184.py` where there is none, prints the question, and says what to do next."""
    exercise = read_exercise(entry.folder)
    own = checkout.answer(entry)
    made = make_answer(own, exercise.starter)
    if made:
        checkout.note("start", entry.number)
    style = Style.of(sys.stdout)
    print(question(exercise, style))
    names = " and ".join(f"`{name}`" for name in exercise.entry)
    then = f"was made for you; write {names} there, then" if made else "is yours and stays as it is"
    print("\n" + "\n".join(wrap(f"{shown(own)} {then}", style.width)))
    rows = [(typed(f"run {entry.number}"), "runs only the examples"), (typed(str(entry.number)), "judges it")]
    print("\n".join(commands(rows, style)))
    return 0


def make_answer(path: Path, starter: str) -> bool:
    """Writes the starter to a file that does not exist yet; False when it does. Two at once cannot both write.

    A disk that is full leaves no file behind: an empty one would be taken for the learner's.
    """
    made = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            made = True
            file.write(starter)
    except FileExistsError:
        if not path.parent.is_dir():
            raise PracticeError(f"{shown(path.parent)} is not a folder", "move it away, or name another one in PRACTICE_ANSWERS") from None
        return False
    except OSError as error:
        if made:
            path.unlink(missing_ok=True)
        hint = "make the folder writable, or name another one in PRACTICE_ANSWERS"
        raise PracticeError(f"{shown(path)} cannot be written: {error.strerror}", hint) from None
    return True
