"""The catalogue of a checkout: every exercise in brief, and the one a learner means."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from practice.catalog.read import read_head, read_table
from practice.catalog.topic import LEVELS, topic_of
from practice.kernel.errors import BrokenExercise, NotFound

FOLDER = re.compile(r"(\d+)-([a-z0-9-]+)")
"""An exercise's folder: `184-fleet-size`."""


@dataclass(frozen=True)
class Entry:
    """An exercise in brief: what lists and suggestions need, without its checks."""

    number: int
    slug: str
    title: str
    topic: str
    level: str
    minutes: int
    folder: Path
    requires: tuple[str, ...] = ()
    chapter: str = ""
    needs: tuple[int, ...] = ()
    next: int | None = None

    @property
    def id(self) -> str:
        """The folder's name: `184-fleet-size`."""
        return self.folder.name


class Catalog:
    """The exercises under `root`/exercises."""

    def __init__(self, root: Path) -> None:
        self.folder = Path(root) / "exercises"

    @cached_property
    def folders(self) -> dict[int, Path]:
        """Number to folder, by number. Reads one directory and no file."""
        found = {}
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                match = FOLDER.fullmatch(path.name)
                if match and path.is_dir():
                    found.setdefault(int(match[1]), path)
        return dict(sorted(found.items()))

    def all(self) -> list[Entry]:
        """Every exercise that can be read, by number."""
        return [entry for entry in map(_entry, self.folders.values()) if entry is not None]

    def of_topic(self, topic: str) -> list[Entry]:
        """The exercises whose numbers this topic owns, by number; the others are not read."""
        folders = [folder for number, folder in self.folders.items() if topic_of(number) == topic]
        return [entry for entry in map(_entry, folders) if entry is not None]

    def unreadable(self) -> list[str]:
        """The folders whose exercise.toml cannot be read, for a word to the author."""
        return [path.name for path in self.folders.values() if _entry(path) is None]

    def at(self, number: int | None) -> Entry | None:
        """The exercise with this number, or None when there is none or it cannot be read."""
        return _entry(self.folders[number]) if number in self.folders else None

    def find(self, name: str) -> Entry:
        """The exercise someone means by a number, a slug, a unique beginning of one, an id or a path.

        Raises NotFound, with the nearest names, when it is none or more than one; BrokenExercise when the one it is cannot be read.
        """
        folder = self.folder_of(name)
        entry = _entry(folder)
        if entry is None:
            faults = read_table(folder)[1]
            text = faults[0].message if faults else "it does not say its number, slug, title, topic, level and minutes"
            raise BrokenExercise(f"exercises/{folder.name}/exercise.toml: {text}", f"`judge.py check {folder.name}` shows everything")
        return entry

    def folder_of(self, name: str) -> Path:
        """The folder `find` would read, whether it can be read or not."""
        word = _last_meaning(name)
        if word.isdecimal() and len(word) < 10:
            if int(word) in self.folders:
                return self.folders[int(word)]
            raise _not_found(name, self._near_number(int(word)))
        ids = {path.name: path for path in self.folders.values()}
        slugs = {id.partition("-")[2]: path for id, path in ids.items()}
        exact = ids.get(word) or slugs.get(word)
        if exact:
            return exact
        begun = sorted({path for key, path in (*ids.items(), *slugs.items()) if word and key.startswith(word)})
        if len(begun) == 1:
            return begun[0]
        if begun:
            names = tuple(path.name for path in begun)
            raise NotFound(f'"{name}" is the beginning of {_and(names[:6])}', "type one more letter, or the number", names)
        raise _not_found(name, self._near_word(word))

    def _near_number(self, number: int) -> list[str]:
        numbers = sorted(self.folders, key=lambda n: (not str(n).startswith(str(number)), abs(n - number)))
        return [self.folders[n].name for n in sorted(numbers[:3])]

    def _near_word(self, word: str) -> list[str]:
        import difflib

        slugs = {path.name.partition("-")[2]: path.name for path in self.folders.values()}
        inside = [slug for slug in slugs if word and word in slug]
        close = difflib.get_close_matches(word, slugs, n=3, cutoff=0.5)
        return [slugs[slug] for slug in dict.fromkeys([*inside, *close])][:3]


def _entry(folder: Path) -> Entry | None:
    table = read_head(folder)
    try:
        return Entry(
            number=int(table["number"]),
            slug=str(table["slug"]),
            title=str(table["title"]),
            topic=str(table["topic"]),
            level=LEVELS[LEVELS.index(table["level"])],
            minutes=int(table["minutes"]),
            folder=folder,
            requires=tuple(table.get("requires", ())),
            chapter=str(table.get("chapter", "")),
            needs=tuple(table.get("needs", ())),
            next=table.get("next"),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _last_meaning(name: str) -> str:
    """The word of a path or a name that stands for the exercise: `exercises/184-x/prompt.md` and `answers/184.py` are known too."""
    parts = [part for part in re.split(r"[\\/]+", name.strip()) if part not in ("", ".")]
    if len(parts) > 1:
        for part in reversed(parts):
            if FOLDER.fullmatch(part):
                return part
    word = parts[-1] if parts else ""
    return word.removesuffix(".py").lower()


def _not_found(name: str, nearest: list[str]) -> NotFound:
    hint = "the nearest are " + _and(nearest) if nearest else "`judge.py list` shows them all"
    shown = name if len(name) <= 60 else f"{name[:57]}..."
    return NotFound(f'no exercise "{shown}"', hint, tuple(nearest))


def _and(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)
