"""Names say what a thing is, and never hide a module of the standard library."""

import re
import sys

VAGUE = re.compile(r"(^|_)(utils?|helpers?|common|manager|misc|stuff)(_|$)")


def python_files(root, *folders):
    return [path for folder in folders for path in (root / folder).rglob("*.py") if "__pycache__" not in path.parts]


def test_no_module_is_called_by_a_word_that_says_nothing(root):
    paths = [path for folder in ("practice", "tests", "benchmarks") for path in (root / folder).rglob("*") if "__pycache__" not in path.parts]
    assert [str(path.relative_to(root)) for path in paths if VAGUE.search(path.stem)] == []


def test_module_names_are_lower_case_words(root):
    wrong = [path.name for path in python_files(root, "practice") if not re.fullmatch(r"(__)?[a-z][a-z0-9_]*(__)?\.py", path.name)]
    assert wrong == []


def test_nothing_directly_in_practice_hides_a_standard_module(root):
    # `python practice/judge.py` has practice/ on the import path for a moment.
    names = {path.stem for path in (root / "practice").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert names & set(sys.stdlib_module_names) == set()


def test_numbers_and_slugs_of_exercises_are_unique(root):
    folders = [path.name for path in (root / "exercises").iterdir() if path.is_dir()]
    for part in (0, 2):
        words = [name.partition("-")[part] for name in folders]
        assert sorted(set(words)) == sorted(words)


def test_nothing_of_this_machine_stands_in_the_tree(root):
    import subprocess

    if not (root / ".git").exists():
        return
    places = "|".join(("/" + "root/", "/" + "work/", "/" + "home/[a-z]"))
    done = subprocess.run(["git", "grep", "-nIE", f"(^|[^A-Za-z0-9_.$}}-])({places})"], cwd=root, capture_output=True, text=True)
    assert done.stdout == ""
