import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from practice.kernel.errors import PracticeError
from practice.progress.store import Progress

ROOT = Path(__file__).resolve().parents[2]

WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from practice.progress.store import Progress
for index in range(int(sys.argv[3])):
    # A new connection each time, as each command of a shell makes one.
    with Progress(Path(sys.argv[2])) as progress:
        progress.record("attempt", 184, status="wrong answer", passed=1, total=9)
    print(index, flush=True)
"""


def writer(path, count):
    return subprocess.Popen([sys.executable, "-c", WRITER, str(ROOT), str(path), str(count)], stdout=subprocess.PIPE, text=True)


def test_what_is_recorded_is_read_back_in_order(tmp_path):
    with Progress(tmp_path / "deep" / "progress.sqlite") as progress:
        progress.record("attempt", 184, at=20.0, status="accepted", passed=9, total=9)
        progress.record("start", 184, at=10.0)
        progress.record("hint", 200, at=15.0, index=1)
    with Progress(tmp_path / "deep" / "progress.sqlite") as progress:
        assert [(event.kind, event.number, event.at) for event in progress.events()] == [("start", 184, 10.0), ("hint", 200, 15.0), ("attempt", 184, 20.0)]
        assert progress.events(184)[1].data == {"status": "accepted", "passed": 9, "total": 9}
        assert progress.last() == 184
        assert progress.standing(200).hints == 1


def test_reading_makes_no_file(tmp_path):
    with Progress(tmp_path / "progress.sqlite") as progress:
        assert progress.events() == [] and progress.last() is None and progress.standing(184).state == "new"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_many_shells_at_once_lose_nothing(tmp_path):
    path = tmp_path / "progress.sqlite"
    writers = [writer(path, 25) for _ in range(6)]
    for one in writers:
        one.communicate()
        assert one.returncode == 0
    with Progress(path) as progress:
        assert len(progress.events()) == 150


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_at_most_the_event_being_written(tmp_path):
    path = tmp_path / "progress.sqlite"
    told = 0
    for round in range(4):
        one = writer(path, 100_000)
        one.stdout.readline()
        time.sleep(0.03 * round)
        os.kill(one.pid, signal.SIGKILL) if os.name == "posix" else one.kill()
        rest, _ = one.communicate()
        told += 1 + len(rest.splitlines())
        with Progress(path) as progress:
            kept = len(progress.events())
            progress.record("start", 1)
        told += 1
        assert told - 1 <= kept <= told, "every event that was reported is there, and at most one more"
        told = kept + 1
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_export_is_imported_once(tmp_path):
    with Progress(tmp_path / "a.sqlite") as one, Progress(tmp_path / "b.sqlite") as other:
        one.record("attempt", 184, status="accepted", passed=9, total=9, seconds=0.1, seed=7)
        other.record("hint", 200, index=2)
        text = json.dumps(one.export())
        assert other.import_(json.loads(text)) == 1
        assert other.import_(json.loads(text)) == 0
        assert other.standing(184).state == "solved"
        assert one.import_(other.export()) == 1
        assert one.export() == other.export()


def test_events_of_kinds_of_tomorrow_are_kept(tmp_path):
    event = {"id": "x1", "at": 5, "kind": "drill", "number": 0, "data": {"deck": "napkin", "nested": [1, {"a": None}]}}
    with Progress(tmp_path / "p.sqlite") as progress:
        progress.import_({"format": 1, "events": [event]})
        assert progress.export()["events"] == [{**event, "at": 5.0}]
        assert progress.standings() == {}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "this is no progress export"),
        ({"format": 1}, "this is no progress export"),
        ({"format": 2, "events": []}, "the export's format is 2, but this version reads 1"),
        ({"format": 1, "events": [3]}, "an event is 3, but it must be an object"),
        ({"format": 1, "events": [{"id": "", "at": 1, "kind": "start"}]}, "`id` of an event is ''"),
        ({"format": 1, "events": [{"id": "a", "at": "now", "kind": "start"}]}, "`at` of an event is 'now'"),
        ({"format": 1, "events": [{"id": "a", "at": float("nan"), "kind": "start"}]}, "`at` of an event is nan"),
        ({"format": 1, "events": [{"id": "a", "at": 1, "kind": "start", "number": -4}]}, "`number` of an event is -4"),
        ({"format": 1, "events": [{"id": "a", "at": 1, "kind": "start", "data": []}]}, "`data` of an event is []"),
    ],
)
def test_a_broken_export_is_refused_whole(tmp_path, data, words):
    good = {"id": "good", "at": 1, "kind": "start", "number": 184, "data": {}}
    if isinstance(data, dict) and data.get("events"):
        data = {**data, "events": [good, *data["events"]]}
    with Progress(tmp_path / "p.sqlite") as progress:
        with pytest.raises(PracticeError) as caught:
            progress.import_(data)
        assert words in str(caught.value)
        assert progress.events() == []


def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path):
    path = tmp_path / "progress.sqlite"
    path.write_bytes(b"not a database, but somebody's file" * 50)
    with Progress(path) as progress, pytest.raises(PracticeError, match="cannot be written.*\n\nhint: move progress.sqlite away"):
        progress.record("start", 184)
    assert path.read_bytes().startswith(b"not a database")


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with Progress(tmp_path / "file" / "progress.sqlite") as progress, pytest.raises(PracticeError, match="PRACTICE_ANSWERS"):
        progress.record("start", 184)
