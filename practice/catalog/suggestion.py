"""Which exercise to try next."""

from collections.abc import Iterable, Set

from practice.catalog.find import Catalog, Entry
from practice.catalog.topic import LEVELS

FIRST = 180
"""Where someone new begins, when it is there: short, and everything later leans on it."""


def next_exercise(catalog: Catalog, solved: Set[int], last: int | None) -> Entry | None:
    """The exercise to try next, or None when all are solved.

    solved: numbers not to suggest again. last: the number worked on last, or None.
    The path that `last` begins is followed first; then the easiest of its topic; then the easiest of all.
    """
    entry = catalog.at(last)
    on_path = _along_path(catalog, solved, entry)
    if on_path is not None:
        return on_path
    if last is None and FIRST not in solved and FIRST in catalog.folders:
        return catalog.at(FIRST)
    of_its_topic = _easiest(catalog.of_topic(entry.topic), solved) if entry else None
    return of_its_topic or _easiest(catalog.all(), solved)


def following(catalog: Catalog) -> dict[int, int]:
    """For each exercise the number of the one to try after it, by the same rule, for a page that knows no learner.

    Whoever is there is taken to have solved what it needs and what leads to it, so none of these is suggested.
    """
    before: dict[int, set[int]] = {}
    for entry in catalog.all():
        before.setdefault(entry.number, set()).update(entry.needs)
        if entry.next is not None:
            before.setdefault(entry.next, set()).add(entry.number)
    suggested = {number: next_exercise(catalog, _all_before(number, before), number) for number in catalog.folders}
    return {number: entry.number for number, entry in suggested.items() if entry is not None}


def _all_before(number: int, before: dict[int, set[int]]) -> set[int]:
    """An exercise with everything that comes before it, however far."""
    found, waiting = set(), [number]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting.extend(before.get(at, ()))
    return found


def _easiest(entries: Iterable[Entry], solved: Set[int]) -> Entry | None:
    open_ones = [entry for entry in entries if entry.number not in solved]
    return min(open_ones, key=lambda entry: (not set(entry.needs) <= solved, LEVELS.index(entry.level), entry.number), default=None)


def _along_path(catalog: Catalog, solved: Set[int], entry: Entry | None) -> Entry | None:
    seen = set()
    while entry is not None and entry.number not in seen:
        if entry.number not in solved:
            return entry
        seen.add(entry.number)
        entry = catalog.at(entry.next)
    return None
