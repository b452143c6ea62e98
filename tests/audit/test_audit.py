"""Each rule of the audit, broken on purpose in a small whole exercise."""

import pytest

from practice.audit.audit import audit
from practice.catalog.new import new_exercise


@pytest.fixture
def folder(tmp_path):
    """A whole exercise without a TODO, to spoil."""
    folder = new_exercise(tmp_path, 180, "kv-blocks", "Blocks of a request")
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_text(path.read_text("utf-8").replace("TODO ", ""), "utf-8")
    return folder


def spoil(folder, file, old, new):
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def findings(folder, **options):
    report = audit(folder.parents[1], [folder], workers=1, **options)
    return [f"{f.file} [{f.key}] {f.message}" for f in report.faults]


def only(found, words):
    assert len(found) == 1, found
    assert words in found[0]


def test_a_whole_exercise_has_no_finding(folder):
    report = audit(folder.parents[1], [folder], workers=1)
    assert report.findings == ()
    assert report.submissions == 3 + 1 + 3 + 2


def test_a_new_exercise_fails_only_for_its_todos(tmp_path):
    new = new_exercise(tmp_path, 204, "fragmentation")
    found = findings(new)
    assert found and all("is still to be written: " in line for line in found), found
    files = {line.split()[0] for line in found}
    assert files == {"exercise.toml", "prompt.md", "solution.py", "checks.py", "hints.md", "after.md"}


def test_a_solution_that_is_not_accepted(folder):
    spoil(folder, "solution.py", "block_size - 1", "block_size")
    found = findings(folder)
    assert any(line.startswith("solution.py [check_example_exact_fit] is not accepted (seed 1): wrong answer") for line in found), found
    assert any("where the browser's way of judging is used" in line for line in found)


def test_another_right_answer_that_is_not_accepted(folder):
    (folder / "accepted").mkdir()
    (folder / "accepted" / "second.py").write_text("def blocks_needed(tokens, block_size):\n    return round(tokens / block_size + 0.4999999)\n")
    assert findings(folder) == []
    (folder / "accepted" / "second.py").write_text("def blocks_needed(tokens, block_size):\n    return int(tokens / block_size)\n")
    found = findings(folder)
    assert found[0].startswith("accepted/second.py [check_partial_last_block] is not accepted (seed 1): wrong answer: ")
    assert all(line.startswith("accepted/second.py [") for line in found)


def test_a_starter_that_passes_something(folder):
    spoil(folder, "starter.py", "raise NotImplementedError", "return 2")
    assert "starter.py [] passes check_example_exact_fit, but the starter must pass nothing" in findings(folder)


def test_a_starter_that_does_not_load(folder):
    spoil(folder, "starter.py", "raise NotImplementedError", "raise (")
    found = findings(folder)
    assert any(line.startswith("starter.py [] does not load") for line in found), found


def test_a_known_wrong_submission_that_is_accepted(folder):
    spoil(folder, "wrong/floor_instead_of_ceil.py", "tokens // block_size", "-(-tokens // block_size)")
    found = findings(folder)
    assert "wrong/floor_instead_of_ceil.py [wrong.floor_instead_of_ceil] is accepted (seed 1)" in found


def test_a_known_wrong_submission_that_fails_elsewhere_first(folder):
    spoil(folder, "exercise.toml", 'fails = "check_no_tokens"', 'fails = "check_random"')
    only(findings(folder), "[wrong.no_tokens_one_block.fails] fails first at check_no_tokens, but `fails` is check_random")


def test_words_the_learner_does_not_read(folder):
    spoil(folder, "exercise.toml", 'says = "exactly"', 'says = "precisely"')
    only(findings(folder), 'the learner does not read "precisely"; they read: wrong answer: check_example_exact_fit: ')


def test_a_check_that_does_not_exist(folder):
    spoil(folder, "exercise.toml", 'fails = "check_no_tokens"', 'fails = "check_nothing"')
    found = findings(folder)
    assert any('`wrong.no_tokens_one_block.fails` is "check_nothing", but checks.py has no such check; it has check_example' in line for line in found)


def test_a_check_that_nothing_fails(folder):
    spoil(folder, "checks.py", "def check_random(", 'def check_useless(sub):\n    """It is there"""\n    assert True\n\n\ndef check_random(')
    found = findings(folder)
    assert any("[check_useless] check_useless is failed by no known-wrong submission and not by the starter" in line for line in found), found


def test_a_check_that_a_submission_fails_only_after_another_is_not_useless(folder):
    kind = 'def check_kind(sub):\n    """A whole number"""\n    assert type(sub.blocks_needed(33, 16)) is int\n\n\n'
    spoil(folder, "checks.py", "def check_random(", kind + "def check_random(")
    spoil(folder, "wrong/floor_instead_of_ceil.py", "tokens // block_size", "float(tokens // block_size)")
    report = audit(folder.parents[1], [folder], workers=1)
    assert report.findings == ()
    assert report.submissions == 3 + 1 + 3 + 2


def test_a_check_that_only_the_starter_fails_is_a_suggestion(folder):
    spoil(folder, "checks.py", "def check_random(", 'def check_kind(sub):\n    """A whole number"""\n    assert type(sub.blocks_needed(1, 1)) is int\n\n\ndef check_random(')
    report = audit(folder.parents[1], [folder], workers=1)
    assert report.faults == []
    assert [f.message for f in report.suggestions] == ["check_kind is failed by no known-wrong submission"]


@pytest.mark.slow
def test_limits_that_leave_no_room(folder):
    spoil(folder, "solution.py", "    # Whole", "    sum(range(6_000_000))\n    # Whole")
    spoil(folder, "exercise.toml", "minutes = 20", "minutes = 20\nlimits = {seconds = 0.4}")
    spoil(folder, "checks.py", "range(50)", "range(2)")
    found = findings(folder, seeds=(1,))
    assert any("[limits.seconds] takes" in line and "must leave it 5 times its time" in line for line in found), found
    spoil(folder, "solution.py", "sum(range(6_000_000))", "len(bytearray(60 * 2**20))")
    spoil(folder, "exercise.toml", "seconds = 0.4", "memory_mib = 96")
    found = findings(folder, seeds=(1,))
    assert any("[limits.memory_mib] takes" in line for line in found), found


@pytest.mark.slow
def test_a_slow_known_wrong_submission_must_be_much_too_slow(folder):
    spoil(folder, "exercise.toml", 'fails = "check_partial_last_block"\nsays = "partly filled block"', 'fails = "check_example_exact_fit"\nsays = "time limit"')
    spoil(folder, "exercise.toml", "minutes = 20", "minutes = 20\nlimits = {seconds = 0.2}")
    source = "import time\ndef blocks_needed(tokens, block_size):\n    end = time.process_time() + {}\n    while time.process_time() < end:\n        pass\n    return 2\n"
    (folder / "wrong" / "floor_instead_of_ceil.py").write_text(source.format(99))
    assert [line for line in findings(folder) if "floor" in line] == []


def test_form_rules(folder):
    spoil(folder, "prompt.md", "`blocks_needed(tokens, block_size)`", "a function")
    spoil(folder, "hints.md", "## Nearly there", "Nearly there")
    spoil(folder, "checks.py", '"""A last, partly filled block"""', '"""A last, partly filled block."""')
    spoil(folder, "checks.py", "def check_no_tokens(sub)", "def check_no_tokens(sub, seed)")
    spoil(folder, "exercise.toml", 'sources = ["where the formula comes from"]', "")
    spoil(folder, "exercise.toml", "number = 180", "number = 200")
    (folder / "wrong" / "one_block_too_many.py").write_text((folder / "wrong" / "floor_instead_of_ceil.py").read_text())
    (folder / "notes.txt").write_text("x")
    found = "\n".join(findings(folder, form_only=True))
    for words in (
        "prompt.md [entry] does not name `blocks_needed`",
        "hints.md [] has 2 hints, but it must be 3",
        'checks.py [check_partial_last_block] the title of check_partial_last_block ends in a full stop',
        "checks.py [check_no_tokens] check_no_tokens asks for seed, but a check gets sub, ref and rng",
        "exercise.toml [sources] `sources` is empty",
        'exercise.toml [slug] the folder is "180-kv-blocks", but number and slug make "200-kv-blocks"',
        "exercise.toml [number] `number` is 200, but estimation has 180 to 199",
        "wrong/one_block_too_many.py [] is the same text as wrong/floor_instead_of_ceil.py",
        "notes.txt [] a file that no exercise has",
    ):
        assert words in found, (words, found)


def test_links_between_exercises(folder):
    root = folder.parents[1]
    other = new_exercise(root, 181, "more-blocks")
    spoil(other, "exercise.toml", "minutes = 20", "minutes = 20\nnext = 180")
    spoil(folder, "exercise.toml", "minutes = 20", 'minutes = 20\nnext = 181\nneeds = [999]\nchapter = "nowhere"')
    found = "\n".join(findings(folder, form_only=True))
    assert "[next] `next` leads in a circle: 180 -> 181 -> 180" in found
    assert "[needs] `needs` has 999, but there is no such exercise" in found
    assert '[chapter] `chapter` is "nowhere", but the chapters are none' in found
    spoil(folder, "exercise.toml", "next = 181", "next = 182")
    assert "[next] `next` is 182, but there is no such exercise" in "\n".join(findings(folder, form_only=True))


def test_a_folder_that_cannot_be_read_hides_nothing_of_the_others(folder):
    root = folder.parents[1]
    broken = root / "exercises" / "181-broken"
    broken.mkdir()
    spoil(folder, "hints.md", "## Nearly there", "Nearly there")
    report = audit(root, [broken, folder], workers=1)
    assert {finding.exercise for finding in report.faults} == {"181-broken", "180-kv-blocks"}
    assert report.submissions > 0


@pytest.mark.slow
def test_many_workers_find_the_same_and_judge_what_was_read(folder):
    spoil(folder, "solution.py", "block_size - 1", "block_size")
    root = folder.parents[1]
    one = audit(root, [folder], workers=1)
    told = []

    def edit(*words):
        told.append(words)
        (folder / "checks.py").write_text("an author is typing")

    two = audit(root, [folder], workers=2, on_progress=edit)
    assert {(f.file, f.key, f.message) for f in one.findings} == {(f.file, f.key, f.message) for f in two.findings}
    assert told[-1] == (two.submissions, two.submissions, "180-kv-blocks")
