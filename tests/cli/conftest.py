"""A small checkout of its own for the tests of the command line: this code, and three exercises made by `judge.py new`."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from practice.catalog.new import new_exercise

CODE = ("practice", "judge.py", "sim.py", "requirements.txt", "requirements-test.txt")
NOT_A_LEARNER_S = ("PRACTICE_", "PYTHONUNBUFFERED", "GITHUB_", "FORCE_", "NO_COLOR", "PIP_")
"""Beginnings of variables that a machine for tests may set and that change what is tried."""
RIGHT = "def blocks_needed(tokens, block_size):\n    return -(-tokens // block_size)\n"
WRONG = "def blocks_needed(tokens, block_size):\n    return tokens // block_size\n"


def listen_to_ctrl_c():
    """Whatever a shell starts in the background inherits that SIGINT is ignored; a learner's terminal does not do that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass
class Shell:
    """Runs the command line of one checkout as a learner would."""

    root: Path

    @property
    def answers(self):
        return self.root / "answers"

    def run(self, *words, python=sys.executable, script="judge.py", stdin="", cwd=None, **environment):
        """The finished process; it has no terminal, 80 columns, and colour only where FORCE_COLOR is given."""
        return subprocess.run(
            [str(python), script, *map(str, words)],
            cwd=cwd or self.root,
            env=self.environment(**environment),
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
        )

    def start(self, *words, python=sys.executable, script="judge.py", **environment):
        """The running process, its output in pipes."""
        return subprocess.Popen(
            [str(python), script, *map(str, words)],
            cwd=self.root,
            env=self.environment(**environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            preexec_fn=listen_to_ctrl_c if os.name == "posix" else None,
        )

    def environment(self, **more):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(NOT_A_LEARNER_S)}
        return {**kept, "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1", **more}

    def write(self, number, text):
        """The learner's file of an exercise."""
        self.answers.mkdir(exist_ok=True)
        path = self.answers / f"{number}.py"
        path.write_text(text, "utf-8")
        return path


def make_checkout(root, source):
    """A checkout in `root`: the code of `source`, and exercises 180 (next: 181), 181 and 200."""
    for name in CODE:
        if (source / name).is_dir():
            shutil.copytree(source / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (source / name).exists():
            shutil.copy(source / name, root / name)
    titles = {180: ("kv-blocks", "Blocks of a request"), 181: ("more-blocks", "Blocks of a batch"), 200: ("block-pool", "A pool of blocks")}
    for number, (slug, title) in titles.items():
        folder = new_exercise(root, number, slug, title)
        for path in folder.rglob("*"):
            if path.is_file():
                path.write_text(path.read_text("utf-8").replace("TODO ", ""), "utf-8")
    toml = root / "exercises" / "180-kv-blocks" / "exercise.toml"
    toml.write_text(toml.read_text("utf-8").replace("minutes = 20\n", "minutes = 20\nnext = 181\n"), "utf-8")


@pytest.fixture(scope="session")
def shared_checkout(tmp_path_factory, root):
    folder = tmp_path_factory.mktemp("checkout")
    make_checkout(folder, root)
    return folder


@pytest.fixture
def shell(shared_checkout):
    """A shell in the shared checkout, with no answers and no progress yet."""
    shutil.rmtree(shared_checkout / "answers", ignore_errors=True)
    return Shell(shared_checkout)


@pytest.fixture
def own_shell(tmp_path, root):
    """A shell in a checkout that a test may spoil."""
    make_checkout(tmp_path, root)
    return Shell(tmp_path)
