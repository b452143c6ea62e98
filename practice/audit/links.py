"""Rules between exercises: numbers, slugs, paths and chapters."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from practice.audit.finding import Finding
from practice.catalog.find import Entry


def link_findings(root: Path, entries: Sequence[Entry], wanted: set[str]) -> Iterator[Finding]:
    """What is wrong between the exercises of a checkout; only findings about the folders named in `wanted`."""
    chapters = {path.stem.partition("-")[2] for path in (root / "chapters").glob("[0-9]*-*.md")}
    for entry in entries:
        if entry.id in wanted:
            for key, message, hint in _wrong_links(entry, entries, chapters):
                yield Finding(entry.id, "exercise.toml", message, hint, key)


def _wrong_links(entry: Entry, entries: Sequence[Entry], chapters: set[str]) -> Iterator[tuple[str, str, str]]:
    """(key, message, hint) for each."""
    numbers = {other.number for other in entries}
    for other in entries:
        if other.folder != entry.folder and other.number == entry.number:
            yield "number", f"`number` {entry.number} is also that of {other.id}", "numbers are never shared"
        if other.folder != entry.folder and other.slug == entry.slug:
            yield "slug", f'`slug` "{entry.slug}" is also that of {other.id}', "slugs are never shared"
    if entry.next is not None and entry.next not in numbers:
        yield "next", f"`next` is {entry.next}, but there is no such exercise", "name one that is there, or leave it out"
    for need in entry.needs:
        if need not in numbers:
            yield "needs", f"`needs` has {need}, but there is no such exercise", "name ones that are there"
    if entry.chapter and entry.chapter not in chapters:
        known = ", ".join(sorted(chapters)) or "none"
        yield "chapter", f'`chapter` is "{entry.chapter}", but the chapters are {known}', "name one that is there"
    circle = _circle(entry, entries)
    if circle:
        yield "next", f"`next` leads in a circle: {' -> '.join(map(str, circle))}", "a path has an end"


def _circle(entry: Entry, entries: Sequence[Entry]) -> list[int]:
    """The numbers of the path that comes back to this exercise, or nothing."""
    following = {other.number: other.next for other in entries}
    path, number = [entry.number], entry.next
    while number is not None and number not in path:
        path.append(number)
        number = following.get(number)
    return [*path, number] if number == entry.number else []
