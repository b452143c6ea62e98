"""The first run on a machine with nothing installed. Stand-in wheels from a local folder, so no network is needed."""

import functools
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from practice.cli.needs import PACKAGES, TEST_PACKAGES

from .conftest import RIGHT


def pins(path):
    """(name, version) of each line of a requirements file."""
    lines = (line.partition(";")[0].strip() for line in path.read_text().splitlines())
    return [tuple(line.split("==")) for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="session")
def wheels(tmp_path_factory, root):
    """A folder with an empty stand-in for each pinned package."""
    folder = tmp_path_factory.mktemp("wheels")
    for name, version in pins(root / "requirements.txt"):
        module, stem = PACKAGES.get(name, name.replace("-", "_")), f"{name.replace('-', '_')}-{version}"
        info = f"{stem}.dist-info"
        with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{module}/__init__.py", "")
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}


@pytest.fixture(scope="session")
def bare(tmp_path_factory):
    """A Python with the standard library and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return python_of(folder)


@pytest.fixture(scope="session")
def with_pip(tmp_path_factory):
    """A Python with pip but without ensurepip, as Debian's is with python3-pip."""
    folder = tmp_path_factory.mktemp("with-pip")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    hide(python_of(folder), "ensurepip")
    return python_of(folder)


def python_of(folder):
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def hide(python, *modules):
    """From now on this Python has no such modules, as on a Debian that ships them apart."""
    place = subprocess.run([python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True, check=True)
    Path(place.stdout.strip(), "sitecustomize.py").write_text("import sys\n" + "".join(f"sys.modules[{m!r}] = None\n" for m in modules))


def test_every_pinned_list_names_what_is_looked_for(root):
    for file, packages in (("requirements.txt", PACKAGES), ("requirements-test.txt", TEST_PACKAGES)):
        names = {name for name, _ in pins(root / file)}
        assert set(packages) <= names, file
        text = (root / "pyproject.toml").read_text()
        for name in packages:
            assert f'"{name}' in text, f"{name} stands in {file} but not in pyproject.toml"


def test_without_set_up_the_exact_commands_are_printed(shell, bare, wheels):
    done = shell.run("180", python=bare, PRACTICE_NO_SETUP="1", **wheels)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "click, rich and 7 more packages are missing, and PRACTICE_NO_SETUP is set, so nothing was installed\n\n"
        "hint: by hand it is\n"
        "    python -m venv .venv\n"
        "    .venv/bin/python -m pip install -r requirements.txt\n"
        "    .venv/bin/python judge.py 180\n"
    )
    assert not (shell.root / ".venv").exists()


@pytest.mark.slow
def test_two_first_runs_at_once_both_judge_and_later_ones_are_silent(own_shell, bare, wheels):
    own_shell.write(180, RIGHT)
    both = [own_shell.start("180", python=bare, script=script, **wheels) for script in ("judge.py", "practice/judge.py")]
    results = [(one.communicate(timeout=300), one.returncode) for one in both]
    for (out, err), code in results:
        assert code == 0, err
        assert "accepted" in out
        assert "Traceback" not in err
    said = "".join(err for (_, err), _ in results)
    assert said.count("click, rich and 7 more packages are missing here; installing into .venv, once") == 1
    assert said.count("another first run is installing; waiting for it") == 1
    later = own_shell.run("180", python=bare)
    assert (later.returncode, later.stderr) == (0, "")
    # What is suggested is what was typed, not the environment's own Python.
    assert "  python judge.py 181" in later.stdout
    # A list that changed is installed into the same environment.
    kept = own_shell.root / ".venv" / "kept"
    kept.write_text("")
    with (own_shell.root / "requirements.txt").open("a") as file:
        file.write("# changed\n")
    done = own_shell.run("180", python=bare, **wheels)
    assert done.returncode == 0 and "installing into .venv" in done.stderr
    assert kept.exists()


@pytest.mark.slow
def test_a_set_up_without_network_or_killed_is_told_and_mended(own_shell, bare, wheels):
    own_shell.write(180, RIGHT)
    offline = own_shell.run("180", python=bare, PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_CONFIG_FILE=os.devnull)
    assert offline.returncode == 2
    assert "Traceback" not in offline.stderr
    assert "the packages could not be downloaded; is this machine online?" in offline.stderr
    assert "hint: by hand it is" in offline.stderr
    killed = own_shell.start("180", python=bare, **wheels)
    time.sleep(1.0)
    killed.send_signal(signal.SIGKILL)
    killed.stdout.close()
    killed.stderr.close()
    killed.wait()
    # Its pip or venv may still be writing, and then still holds the lock.
    assert not (own_shell.root / ".venv" / "practice-done").exists()
    done = own_shell.run("180", python=bare, **wheels)
    assert (done.returncode, "accepted" in done.stdout) == (0, True), done.stderr


@pytest.mark.slow
def test_without_ensurepip_the_own_pip_serves(own_shell, with_pip, wheels):
    own_shell.write(180, RIGHT)
    done = own_shell.run("180", python=with_pip, **wheels)
    assert (done.returncode, "accepted" in done.stdout) == (0, True), done.stderr


def test_without_ensurepip_and_pip_the_debian_package_is_named(own_shell, tmp_path_factory, wheels):
    folder = tmp_path_factory.mktemp("no-pip")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    hide(python_of(folder), "ensurepip")
    done = own_shell.run("180", python=python_of(folder), **wheels)
    assert done.returncode == 2
    assert "this Python has neither ensurepip nor pip, so no environment can be made" in done.stderr
    if Path("/etc/debian_version").exists():
        assert f"`sudo apt install python{sys.version_info.major}.{sys.version_info.minor}-venv` brings it" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_an_environment_of_someone_else_is_used_and_never_emptied(own_shell, bare, with_pip, wheels):
    folder = own_shell.root / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (folder / "mine").write_text("")
    own_shell.write(180, RIGHT)
    first = own_shell.run("180", **wheels, python=with_pip)
    assert first.returncode == 0, first.stderr
    assert "installing what is missing into your .venv" in first.stderr
    assert (folder / "mine").exists() and not (folder / "practice-lock").exists()
    assert own_shell.run("180", python=bare, **wheels).stderr == ""


def test_where_the_packages_are_there_nothing_is_touched(shell):
    shell.write(180, RIGHT)
    before = {path for path in shell.root.iterdir()}
    done = shell.run("180")
    assert (done.returncode, done.stderr) == (0, "")
    assert {path for path in shell.root.iterdir()} == before


@functools.cache
def old_pythons():
    """The oldest and the newest interpreter below 3.11 that this machine has, in PATH or with a version manager."""
    import shutil

    names = ["python2", "python2.7", *(f"python3.{minor}" for minor in range(6, 11))]
    found = [shutil.which(name) for name in names]
    found += map(str, Path.home().glob(".pyenv/versions/[23].*/bin/python"))
    code = "import sys; v = tuple(sys.version_info[:2]); print('%d.%02d' % v if v < (3, 11) else '')"
    versions = {}
    for path in dict.fromkeys(filter(None, found)):
        version = subprocess.run([path, "-c", code], capture_output=True, text=True).stdout.strip()
        if version:
            versions.setdefault(version, path)
    return [versions[version] for version in sorted({min(versions), max(versions)})] if versions else []


@pytest.mark.parametrize("script", ["judge.py", "practice/judge.py"])
def test_an_old_python_is_told_which_one_is_needed(shell, script):
    pythons = old_pythons()
    if not pythons:
        pytest.skip("this machine has no Python below 3.11 to try")
    for python in pythons:
        done = shell.run("184", python=python, script=script)
        assert done.returncode == 2, python
        assert done.stderr.startswith("this needs Python 3.11 or newer, and "), (python, done.stderr)
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("script", ["judge.py", "practice/judge.py", "practice/__init__.py", "tests/run.py"])
def test_the_entry_files_can_be_read_by_old_pythons(root, script):
    import ast

    ast.parse((root / script).read_text("utf-8"), feature_version=(3, 6))
