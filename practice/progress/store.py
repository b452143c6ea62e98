"""The log of events in one SQLite file: two shells at once and a kill at any moment lose at most the event being written."""

import json
import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from practice.kernel.errors import PracticeError
from practice.progress.event import FORMAT, Event, event_from_json, event_to_json
from practice.progress.standing import Standing, standing, standings

SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    data TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS event_number ON event (number, at);
"""
WAIT = 5.0
"""Seconds to wait for another shell's write. One write takes about a millisecond."""


class Progress:
    """The learner's log. Opens the file when it is first needed; use as a context manager or call `close`.

    Every method raises PracticeError when the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def record(self, kind: str, number: int = 0, at: float | None = None, **data: Any) -> Event:
        """Adds one event, on disk when this returns."""
        event = Event(os.urandom(16).hex(), time.time() if at is None else at, kind, number, data)
        self._write([event])
        return event

    def events(self, number: int | None = None) -> list[Event]:
        """All events, or those of one exercise, oldest first."""
        where, values = ("", ()) if number is None else (" WHERE number = ?", (number,))
        rows = self._read(f"SELECT id, at, kind, number, data FROM event{where} ORDER BY at, id", values)
        return [Event(id, at, kind, number, json.loads(data)) for id, at, kind, number, data in rows]

    def standing(self, number: int) -> Standing:
        """Where the learner stands with one exercise."""
        return standing(number, self.events(number))

    def standings(self) -> dict[int, Standing]:
        """Where the learner stands with every exercise touched so far."""
        return standings(self.events())

    def last(self) -> int | None:
        """The number of the exercise of the latest event, or None."""
        rows = self._read("SELECT number FROM event WHERE number > 0 ORDER BY at DESC, id DESC LIMIT 1")
        return rows[0][0] if rows else None

    def export(self) -> dict[str, Any]:
        """Everything, as JSON values: what `import_` here or in the browser reads."""
        return {"format": FORMAT, "events": [event_to_json(event) for event in self.events()]}

    def import_(self, data: Any) -> int:
        """Adds the events of an export that are not here yet and returns how many those were; all of them or, on an error, none."""
        if not isinstance(data, Mapping) or not isinstance(data.get("events"), list):
            raise PracticeError('this is no progress export: it must be an object with "format" and "events"', "export it again")
        if data.get("format") != FORMAT:
            raise PracticeError(f"the export's format is {data.get('format')!r}, but this version reads {FORMAT}", "update the checkout")
        try:
            events = [event_from_json(value) for value in data["events"]]
        except ValueError as error:
            raise PracticeError(f"this progress export cannot be read: {error}", "export it again") from None
        return self._write(events)

    def _write(self, events: list[Event]) -> int:
        rows = [(e.id, e.at, e.kind, e.number, json.dumps(dict(e.data), separators=(",", ":"))) for e in events]
        try:
            connection = self._open()
            before = connection.total_changes
            with connection:
                connection.executemany("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?)", rows)
            return connection.total_changes - before
        except (sqlite3.Error, OSError) as error:
            raise self._trouble("written", error) from None

    def _read(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if self._connection is None and not self.path.exists():
            return []
        try:
            return self._open().execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise self._trouble("read", error) from None
            return self._read_as_it_lies(query, values)
        except (sqlite3.Error, OSError) as error:
            raise self._trouble("read", error) from None

    def _read_as_it_lies(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Where nothing can be written, not even SQLite's file of locks: the folder is read-only, or the disk is full."""
        try:
            with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?immutable=1", uri=True)) as connection:
                return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._trouble("read", error) from None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=WAIT)
            # WAL: readers and one writer at once. NORMAL: a power cut may lose the last events, a killed process none.
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'event'").fetchone():
                connection.executescript(SCHEMA)
            self._connection = connection
        return self._connection

    def _trouble(self, what: str, error: Exception) -> PracticeError:
        hint = f"move {self.path.name} away to start a new one; it is a SQLite file, and its events may still be saved"
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            hint = "another shell is writing; run the command again"
        elif isinstance(error, (OSError, sqlite3.OperationalError)):
            hint = f"make {self.path.parent} writable, or name another folder in PRACTICE_ANSWERS"
        return PracticeError(f"the progress file {self.path} cannot be {what}: {error}", hint)
