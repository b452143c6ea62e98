"""Documents that cannot drift: commands exist with the options shown, and the README's transcript is what the judge says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module

import click
import pytest

from practice.catalog.find import Catalog
from practice.cli.table import SECTIONS, VERBS
from practice.kernel.errors import NotFound
from tests.conftest import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"(?:python3? )?(?:\./|practice/)?judge\.py(?: +([^`|\n#]*))?")
MARKS = ("<!-- transcript", "<!-- /transcript -->")


def command_of(verb):
    module, _, attribute = VERBS[verb].target.partition(":")
    return getattr(import_module(module), attribute)


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_has_help_with_an_example(verb):
    command = command_of(verb)
    with click.Context(command, info_name=f"judge.py {verb}") as context:
        text = command.get_help(context)
    body = text.split("\n", 1)[1]
    assert re.search(rf"judge\.py ({verb}\b|184)", body), f"the help of {verb} shows no example"
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.help, f"{verb} {parameter.opts[0]} says nothing"


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_stands_in_the_readme_with_an_example(verb):
    rows = [line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith(f"| `{verb}` |")]
    assert len(rows) == 1
    assert COMMAND.search(rows[0]), "no example in its row"


def test_the_readme_has_no_command_that_is_gone():
    text = (ROOT / "README.md").read_text("utf-8")
    section = text.split("## Every command")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(VERBS)


def shown_commands():
    for path in DOCUMENTS:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            code = [line] if line.startswith("    ") else re.findall(r"`([^`]+)`", line)
            for part in code:
                for match in COMMAND.finditer(part):
                    yield f"{path.name}:{number}", (match[1] or "").strip()


def test_commands_shown_in_documents_exist():
    wrong = []
    catalog = Catalog(ROOT)
    for where, words in shown_commands():
        wrong += [f"{where}: {words}: {fault}" for fault in faults_of(words, catalog)]
    assert wrong == []


def faults_of(text, catalog):
    words = shlex.split(text.rstrip(".,:;)"))
    if not words or words[0].isupper() or words[0] in ("--help", "-h"):
        return
    verb = words[0] if words[0] in VERBS else "judge"
    if verb == "judge" and words[0] != "judge":
        try:
            catalog.find(words[0])
        except NotFound:
            yield f"no command and no exercise {words[0]}"
    command, rest = command_of(verb), words[1:]
    if isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        if rest[0] not in command.commands:
            yield f"{verb} has no {rest[0]}"
            return
        command = command.commands[rest[0]]
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help", "-h"}
    for word in rest:
        if word.startswith("-") and len(word) > 1 and word.partition("=")[0] not in known:
            yield f"{verb} has no option {word}"


def test_a_drifted_command_would_be_found():
    catalog = Catalog(ROOT)
    assert list(faults_of("hint 184 --nonsense", catalog)) == ["hint has no option --nonsense"]
    assert list(faults_of("progress exprt x", catalog)) == ["progress has no exprt"]
    assert list(faults_of("nonsense", catalog)) == ["no command and no exercise nonsense"]
    assert list(faults_of("184 my.py --only x", catalog)) == []


def test_the_group_help_shows_every_command():
    from practice.cli.group import cli

    with click.Context(cli, info_name="judge.py") as context:
        text = cli.get_help(context)
    for heading, verbs in SECTIONS.items():
        assert f"{heading}:" in text
        for verb in verbs:
            assert re.search(rf"^  {verb} ", text, re.MULTILINE)


def test_files_named_in_documents_exist():
    missing = []
    for path in DOCUMENTS[:2] + [ROOT / "docs" / "why.md"]:
        for name in re.findall(r"\b(?:docs|practice|tests|chapters)/[\w./-]*\w", path.read_text("utf-8")):
            if not (ROOT / name).exists():
                missing.append(f"{path.name}: {name}")
    assert missing == []


def test_the_readmes_transcript_is_what_the_judge_says(request, tmp_path):
    shown = transcript(tmp_path)
    path = ROOT / "README.md"
    text = path.read_text("utf-8")
    head, rest = text.split(MARKS[0], 1)
    line, rest = rest.split("\n", 1)
    _, tail = rest.split(MARKS[1], 1)
    wanted = f"{head}{MARKS[0]}{line}\n{shown}{MARKS[1]}{tail}"
    if request.config.getoption("--update-goldens"):
        path.write_text(wanted, "utf-8")
    assert path.read_text("utf-8") == wanted


def transcript(answers):
    """A wrong and a right run of exercise 184, as an indented block; what differs from run to run is made steady."""
    folder = Catalog(ROOT).find("184").folder
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PRACTICE_", "FORCE_COLOR"))}
    environment.update(PRACTICE_ANSWERS=str(answers), COLUMNS="80", PRACTICE_CALLED="python practice/judge.py")
    lines = []
    for source in (folder / "wrong" / "output_length_ignored.py", folder / "solution.py"):
        shutil.copy(source, answers / "184.py")
        done = subprocess.run([sys.executable, "practice/judge.py", "184"], cwd=ROOT, env=environment, capture_output=True, text=True)
        text = re.sub(r"slowest took [\d.]+ s of [\d.]+ s, memory \d+ MiB", "slowest took 0.005 s of 1.00 s, memory 10 MiB", done.stdout)
        text = re.sub(r"--seed \d+", "--seed 1234", text)
        text = re.sub(r"\n\n  judged without [^\n]*(\n  [^\n]*tells more)?", "", text)
        lines += ["$ python practice/judge.py 184", *text.splitlines(), ""]
    return "\n" + "\n".join(f"    {line}".rstrip() for line in lines) + "\n"


def test_python_in_the_readme_prints_what_stands_below_it():
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```\n\n```output\n(.*?)```", text, re.DOTALL)
    assert blocks
    for code, output in blocks:
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (output, "")
