import shutil

import pytest

from practice.catalog.new import BLANK
from practice.catalog.read import inspect, read_exercise, split_hints
from practice.kernel.errors import BrokenExercise


@pytest.fixture
def folder(tmp_path):
    """A whole exercise folder to spoil."""
    target = tmp_path / "180-a-slug"
    shutil.copytree(BLANK, target)
    spoil(target, "number = 0", "number = 180")
    return target


def spoil(folder, old, new, file="exercise.toml"):
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def messages(folder):
    return [f"{fault.file}: {fault.message} / {fault.hint}" for fault in inspect(folder)[1]]


def test_a_folder_becomes_an_exercise(folder):
    spoil(folder, "[wrong.floor", "[limits]\nseconds = 2.5\nmemory_mib = 64\noutput_kib = 8\n\n[wrong.floor")
    exercise = read_exercise(folder)
    assert (exercise.number, exercise.slug, exercise.entry, exercise.level) == (180, "a-slug", ("blocks_needed",), "easy")
    assert (exercise.limits.seconds, exercise.limits.memory, exercise.limits.output) == (2.5, 64 * 2**20, 8 * 2**10)
    assert [known.name for known in exercise.wrong] == ["floor_instead_of_ceil", "one_block_too_many", "no_tokens_one_block"]
    assert exercise.wrong[0].fails == "check_partial_last_block" and "// block_size" in exercise.wrong[0].source
    assert len(exercise.hints) == 3 and exercise.next is None and exercise.needs == ()


def test_a_wrong_value_is_named_with_what_is_accepted(folder):
    spoil(folder, "minutes = 20", 'minutes = "forty"')
    with pytest.raises(BrokenExercise) as caught:
        read_exercise(folder)
    assert str(caught.value) == (
        'exercises/180-a-slug/exercise.toml: `minutes` is "forty", but it must be a whole number\n\nhint: write `minutes = 40`'
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("number = 0", 'number = "180"', "`number` is \"180\", but it must be a whole number above 0"),
        ("number = 180", "number = true", "`number` is True"),
        ('slug = "a-slug"', 'slug = "A slug"', "lower-case words joined by hyphens"),
        ('title = "TODO a short title"', 'title = " "', "`title` is \" \", but it must be text"),
        ('topic = "estimation"', 'topic = "estimates"', "it must be one of observability, queueing"),
        ('level = "easy"', 'level = "trivial"', "easy, medium or hard"),
        ('entry = ["blocks_needed"]', "entry = []", "`entry` is []"),
        ('entry = ["blocks_needed"]', 'entry = ["blocks needed"]', "a list of the names"),
        ("minutes = 20", "", "`minutes` is missing; it must be a whole number / write `minutes = 40`"),
        ("minutes = 20", 'minutes = 20\nrequires = ["torch"]', "any of numpy, sim, processes"),
        ("minutes = 20", "minutes = 20\nminuts = 3", "`minuts` is not a key of this format"),
        ("minutes = 20", "minutes = 20\nlimits = {seconds = 0}", "`limits.seconds` is 0"),
        ("minutes = 20", "minutes = 20\nlimits = {second = 1}", "`limits.second` is not a key"),
        ("minutes = 20", 'minutes = 20\nnext = "181"', "`next` is \"181\", but it must be an exercise number"),
        ('says = "exactly"', "", "`wrong.one_block_too_many.says` is missing"),
        ('says = "exactly"', 'said = "exactly"', "`wrong.one_block_too_many.said` is not a key"),
        ("[wrong.one_block_too_many]", "[wrong.other]", "`wrong.other` has no file wrong/other.py"),
        ("[wrong.one_block_too_many]", "[wrong.other]", "has no `[wrong.one_block_too_many]` that says how it fails"),
        ("minutes = 20", "minutes 20", "not TOML: "),
    ],
)
def test_what_the_format_does_not_accept_is_told(folder, old, new, words):
    spoil(folder, old.replace("number = 0", "number = 180"), new)
    assert any(words in message for message in messages(folder)), messages(folder)


def test_everything_is_told_at_once(folder):
    spoil(folder, "minutes = 20", 'minutes = "forty"')
    spoil(folder, 'level = "easy"', "levels = 1")
    (folder / "hints.md").unlink()
    (folder / "notes.txt").write_text("x")
    found = messages(folder)
    for words in ("`minutes`", "`level` is missing", "`levels` is not a key", "hints.md: the file is missing", "notes.txt: a file that no exercise has"):
        assert any(words in message for message in found), (words, found)


def test_a_stray_file_does_not_stop_a_learner(folder):
    (folder / "prompt.md~").write_text("x")
    (folder / ".DS_Store").write_text("x")
    assert read_exercise(folder).number == 180
    assert len(messages(folder)) == 1


def test_bytes_that_are_not_utf8_are_a_fault_and_no_crash(folder):
    (folder / "prompt.md").write_bytes(b"caf\xe9")
    assert "prompt.md: not UTF-8 text: byte 3 cannot be read" in "\n".join(messages(folder))
    (folder / "exercise.toml").write_bytes(b"\xff")
    assert "exercise.toml: not TOML" in "\n".join(messages(folder))


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(BrokenExercise, match="exercise.toml: the file is missing"):
        read_exercise(tmp_path / "199-none")


def test_hints_are_what_stands_under_each_heading():
    assert split_hints("intro\n## One\n\nfirst\n\n### part\nmore\n## Two\r\nsecond\n") == ("first\n\n### part\nmore", "second")
    assert split_hints("") == ()
