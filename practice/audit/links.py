"""Rules between exercises: numbers, slugs, paths and chapters."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from practice.audit.finding import Finding
from practice.kernel.exercise import Exercise


def link_findings(root: Path, exercises: Mapping[str, Exercise], wanted: set[str]) -> Iterator[Finding]:
    """What is wrong between the exercises of a checkout; only findings about the folders named in `wanted`."""
    numbers = {exercise.number for exercise in exercises.values()}
    chapters = {path.stem.partition("-")[2] for path in (root / "chapters").glob("[0-9]*-*.md")}
    for folder, exercise in exercises.items():
        if folder not in wanted:
            continue
        for other, twin in exercises.items():
            if other != folder and twin.number == exercise.number:
                yield _finding(folder, f"`number` {exercise.number} is also that of {other}", "numbers are never shared", "number")
            if other != folder and twin.slug == exercise.slug:
                yield _finding(folder, f'`slug` "{exercise.slug}" is also that of {other}', "slugs are never shared", "slug")
        if exercise.next is not None and exercise.next not in numbers:
            text = f"`next` is {exercise.next}, but there is no such exercise"
            yield _finding(folder, text, "name one that is there, or leave it out", "next")
        for need in exercise.needs:
            if need not in numbers:
                yield _finding(folder, f"`needs` has {need}, but there is no such exercise", "name ones that are there", "needs")
        if exercise.chapter and exercise.chapter not in chapters:
            known = ", ".join(sorted(chapters)) or "none"
            yield _finding(folder, f'`chapter` is "{exercise.chapter}", but the chapters are {known}', "name one that is there", "chapter")
        circle = _circle(exercise, exercises)
        if circle:
            yield _finding(folder, f"`next` leads in a circle: {' -> '.join(map(str, circle))}", "a path has an end", "next")


def _finding(folder: str, message: str, hint: str, key: str) -> Finding:
    return Finding(folder, "exercise.toml", message, hint, key)


def _circle(exercise: Exercise, exercises: Mapping[str, Exercise]) -> list[int]:
    """The numbers of the path that comes back to this exercise, or nothing."""
    following = {other.number: other.next for other in exercises.values()}
    path, number = [exercise.number], exercise.next
    while number is not None and number not in path:
        path.append(number)
        number = following.get(number)
    return [*path, number] if number == exercise.number else []
