"""Where things are in a checkout."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from practice.catalog.find import Catalog, Entry
from practice.kernel.errors import PracticeError

if TYPE_CHECKING:
    from practice.progress.standing import Standing
    from practice.progress.store import Progress

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Checkout:
    """One checkout with its exercises and the learner's own folder."""

    root: Path
    answers: Path
    """The learner's files: `answers/` in the checkout, or PRACTICE_ANSWERS."""

    @classmethod
    def here(cls) -> "Checkout":
        """The checkout this code lies in."""
        named = os.environ.get("PRACTICE_ANSWERS", "")
        return cls(ROOT, Path(named).expanduser().resolve() if named else ROOT / "answers")

    @property
    def catalog(self) -> Catalog:
        return Catalog(self.root)

    @property
    def progress(self) -> "Progress":
        # SQLite is loaded after the fork server is on its way.
        from practice.progress.store import Progress

        return Progress(self.answers / "progress.sqlite")

    def note(self, kind: str, number: int, **data: object) -> None:
        """Adds to the log; one that cannot be written costs a line, never what was asked for."""
        try:
            with self.progress as progress:
                progress.record(kind, number, **data)
        except PracticeError as error:
            print(f"not remembered: {error}\n", file=sys.stderr)

    def standings(self) -> "dict[int, Standing]":
        """Where the learner stands with each exercise; nowhere, and a line about it, when the log cannot be read."""
        try:
            with self.progress as progress:
                return progress.standings()
        except PracticeError as error:
            print(f"{error}\n", file=sys.stderr)
            return {}

    def spare(self, path: Path) -> None:
        """Raises PracticeError where a report would be written over something the learner made."""
        if path.exists() and self.answers.resolve() in path.resolve().parents:
            raise PracticeError(f"{shown(path)} lies among your answers, and would be overwritten", "name a file in another folder")

    def answer(self, entry: Entry) -> Path:
        """The learner's file for this exercise: `answers/184.py`."""
        return self.answers / f"{entry.number}.py"


def shown(path: Path) -> str:
    """The path as the learner would type it from where they are."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive on Windows
        return str(path)
    return str(path) if relative.startswith(os.pardir + os.sep + os.pardir) else relative
