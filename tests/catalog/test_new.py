import tomllib

import pytest

from practice.catalog.new import new_exercise
from practice.catalog.read import inspect
from practice.kernel.errors import PracticeError


def test_a_new_folder_keeps_the_format(tmp_path):
    folder = new_exercise(tmp_path, 204, "fragmentation", 'Waste of "block" sizes \\ é')
    exercise, faults = inspect(folder)
    assert folder.name == exercise.id == "204-fragmentation"
    assert exercise.title == 'Waste of "block" sizes \\ é'
    assert exercise.topic == "kv-cache"
    assert faults == []


def test_a_title_may_hold_control_characters(tmp_path):
    folder = new_exercise(tmp_path, 204, "fragmentation", "a\tb")
    assert tomllib.loads((folder / "exercise.toml").read_text("utf-8"))["title"] == "a\tb"


def test_numbers_and_slugs_are_never_used_twice(tmp_path):
    folder = new_exercise(tmp_path, 204, "fragmentation")
    before = (folder / "prompt.md").read_text()
    with pytest.raises(PracticeError, match="204 is taken.*\n\nhint: free in kv-cache: 200, 201, 202, 203, 205"):
        new_exercise(tmp_path, 204, "other")
    with pytest.raises(PracticeError, match='the slug "fragmentation" is taken by 204-fragmentation'):
        new_exercise(tmp_path, 205, "fragmentation")
    assert (folder / "prompt.md").read_text() == before
    new_exercise(tmp_path, 206, "gmentation")


@pytest.mark.parametrize(("number", "slug", "words"), [(1, "x", "1 belongs to no topic"), (204, "Not a slug", "cannot be a slug"), (204, "../x", "cannot be a slug")])
def test_what_cannot_be_an_exercise_is_refused(tmp_path, number, slug, words):
    with pytest.raises(PracticeError, match=words):
        new_exercise(tmp_path, number, slug)
    assert not (tmp_path / "exercises").exists()
