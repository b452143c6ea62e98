"""The bare `judge.py`: where the learner stopped, and what to do next."""

import sys

from practice.catalog.find import Entry
from practice.cli.calling import typed
from practice.cli.checkout import Checkout
from practice.cli.style import Style, commands
from practice.catalog.suggestion import next_exercise
from practice.cli.text import count
from practice.kernel.errors import PracticeError
from practice.progress.standing import Standing

FULL = 184
"""The exercise that shows a newcomer what this is about."""


def welcome() -> int:
    """Prints the start page."""
    checkout = Checkout.here()
    try:
        with checkout.progress as progress:
            standings, last = progress.standings(), progress.last()
    except PracticeError as error:
        print(f"{error}\n", file=sys.stderr)
        standings, last = {}, None
    style = Style.of(sys.stdout)
    print(style.bold("Practice for LLM-inference-systems interviews"))
    print(f"{_count(checkout, standings)}\n")
    solved = {number for number, standing in standings.items() if standing.solved_at is not None}
    stopped = checkout.catalog.at(last)
    following = next_exercise(checkout.catalog, solved, last)
    if stopped is not None and stopped.number not in solved:
        _print_exercise("where you stopped", stopped, _where(standings[stopped.number]), style)
    elif following is not None:
        _print_exercise("next" if solved else "a good first one", following, f"{following.level}, about {following.minutes} minutes", style)
    rows = [("list", "all exercises"), ("progress", "what you have done"), ("--help", "every command")]
    if not solved and FULL in checkout.catalog.folders:
        rows.insert(0, (str(FULL), "a whole question, as an interviewer asks it"))
    print("\n".join(commands([(typed(words), what) for words, what in rows], style)))
    return 0


def _count(checkout: Checkout, standings: dict[int, Standing]) -> str:
    there = checkout.catalog.folders
    known = [standing for number, standing in standings.items() if number in there]
    solved = sum(standing.state == "solved" for standing in known)
    tried = sum(standing.state == "tried" for standing in known)
    words = f"{count(len(there), 'exercise')}, {solved} solved" if solved or tried else f"{count(len(there), 'exercise')} to try"
    return f"{words}, {tried} under way" if tried else words


def _where(standing: Standing) -> str:
    if standing.attempts:
        return f"{standing.passed} of {count(standing.total, 'check')} passed so far"
    return "started"


def _print_exercise(label: str, entry: Entry, about: str, style: Style) -> None:
    print(f"  {style.dim(label)}")
    print(f"  {style.bold(f'{entry.number}  {entry.title}')}  {style.dim(about)}")
    print(f"  {style.cyan(typed(str(entry.number)))}\n")
