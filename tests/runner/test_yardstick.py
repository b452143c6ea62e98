"""The yardstick: measured once, kept, and never trusted blindly."""

import json
import time

import pytest

from practice.kernel.exercise import Limits
from practice.runner import yardstick
from practice.runner.backend import PipeBackend


def test_measuring_takes_a_tenth_of_a_second_at_most_of_a_usual_machine():
    began = time.process_time()
    assert 1.0 <= yardstick.measure() <= yardstick.SLOWEST
    assert time.process_time() - began < 0.5


def test_a_kept_yardstick_is_read_again(tmp_path):
    path = tmp_path / "deep" / "yardstick.json"
    yardstick.keep(2.5, path)
    assert yardstick.read_or_measure(path) == 2.5
    assert [file.name for file in path.parent.iterdir()] == ["yardstick.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"yardstick": 2}', '{"yardstick": NaN, "at": 9e99}', '{"yardstick": 99, "at": 9e99}'])
def test_a_damaged_or_absurd_file_is_measured_anew(tmp_path, text):
    path = tmp_path / "yardstick.json"
    path.write_text(text)
    assert 1.0 <= yardstick.read_or_measure(path) <= yardstick.SLOWEST
    assert json.loads(path.read_text())["yardstick"] >= 1.0


def test_an_old_yardstick_is_measured_anew(tmp_path):
    path = tmp_path / "yardstick.json"
    path.write_text(json.dumps({"yardstick": 9.5, "at": time.time() - 2 * yardstick.FRESH_SECONDS}))
    assert yardstick.read_or_measure(path) < 9.5


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path):
    (tmp_path / "file").write_text("")
    assert yardstick.read_or_measure(tmp_path / "file" / "yardstick.json") >= 1.0


def test_the_limit_is_stretched_by_the_yardstick():
    with PipeBackend(speed=2.0) as backend:
        assert backend.limit_seconds(Limits(seconds=1.5)) == 3.0
        assert not backend.is_slower_than_thought()


def test_a_machine_slower_than_believed_gets_a_longer_limit_and_one_more_run(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    yardstick.keep(1.0)
    monkeypatch.setattr(yardstick, "REFERENCE_SECONDS", yardstick.REFERENCE_SECONDS / 4)
    with PipeBackend() as backend:
        assert backend.limit_seconds(Limits(seconds=1.0)) == 1.0
        assert backend.is_slower_than_thought()
        assert backend.limit_seconds(Limits(seconds=1.0)) > 2.0
    assert yardstick.read_or_measure() > 2.0
