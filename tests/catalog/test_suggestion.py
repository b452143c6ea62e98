"""Which exercise is suggested, in a catalogue of five."""

import pytest

from practice.catalog.find import Catalog
from practice.catalog.suggestion import following, next_exercise

EXERCISES = {
    180: ("estimation", "easy", "next = 184"),
    184: ("estimation", "hard", "needs = [180]"),
    186: ("estimation", "medium", "needs = [203]"),
    200: ("kv-cache", "easy", ""),
    203: ("kv-cache", "medium", ""),
}


@pytest.fixture
def catalog(tmp_path):
    for number, (topic, level, more) in EXERCISES.items():
        folder = tmp_path / "exercises" / f"{number}-some"
        folder.mkdir(parents=True)
        text = f'number = {number}\nslug = "some"\ntitle = "some"\ntopic = "{topic}"\nlevel = "{level}"\nminutes = 20\n{more}\n'
        (folder / "exercise.toml").write_text(text)
    return Catalog(tmp_path)


@pytest.mark.parametrize(
    ("last", "solved", "number"),
    [
        (None, set(), 180),
        (180, set(), 180),
        (180, {180}, 184),
        (184, {184}, 180),
        (184, {180, 184}, 186),
        (186, {180, 184, 186}, 200),
        (200, {200}, 203),
        (203, {200, 203}, 180),
        (999, {180}, 200),
        (180, set(EXERCISES), None),
    ],
)
def test_the_path_comes_first_then_the_topic_then_the_easiest(catalog, last, solved, number):
    entry = next_exercise(catalog, solved, last)
    assert (entry and entry.number) == number


def test_every_exercise_is_followed_by_one_that_does_not_come_before_it(catalog):
    assert following(catalog) == {180: 184, 184: 186, 186: 180, 200: 203, 203: 200}
