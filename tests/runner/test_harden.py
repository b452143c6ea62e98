"""Each layer alone and all together, as root and as an unprivileged user, on every Python there is."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from practice.runner import harden, seccomp
from practice.runner.backend import PipeBackend
from tests.runner.sessions import Opened

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")
STOPPED_BY = {
    "limits": {"raise_limit": "ValueError"},
    "landlock": {"read_passwd": "PermissionError", "write_file": "PermissionError"},
    # Alone it cannot tell one file from another, so it lets nothing be opened for writing, /dev/null included.
    "seccomp": {"fork": "PermissionError", "udp_socket": "PermissionError", "write_file": "PermissionError", "dev_null": "PermissionError"},
    "all": {"read_passwd": "PermissionError", "write_file": "PermissionError", "fork": "PermissionError", "udp_socket": "PermissionError"},
}
MUST_WORK = {
    "event_loop": "worked: ran",
    "pool_of_threads": "worked: 36",
    "time_zone": "worked: 2024-07-01T00:00:00+00:00",
    "random_bytes": "worked: 8",
    "dev_null": "worked: 1",
    "name_of_thread": "worked: named",
}


def pythons():
    """This interpreter, and one of every other minor version from 3.11 on that lies beside it or on the path."""
    found = {sys.version_info[:2]: sys.executable}
    beside = sorted(Path(sys.base_prefix).parent.glob("*/bin/python3"))
    for candidate in [*map(str, beside), *filter(None, (shutil.which(f"python3.{minor}") for minor in range(11, 16)))]:
        ask = [candidate, "-I", "-S", "-c", "import sys; print(*sys.version_info[:2])"]
        asked = subprocess.run(ask, capture_output=True, text=True, check=False)
        version = tuple(map(int, asked.stdout.split())) if asked.returncode == 0 else (0, 0)
        if version >= (3, 11):
            found.setdefault(version, candidate)
    return found


@pytest.fixture(scope="module")
def folder():
    """A folder that every user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield str(folder)
    (folder / "written").unlink(missing_ok=True)
    for place in (folder / "python", folder / "checkout"):  # never emptied: a mount that stayed would be the checkout itself
        if place.exists():
            place.rmdir()
    folder.rmdir()


def as_nobody(folder, root, script, *arguments):
    """What the script prints when an unprivileged user runs it: this one, or for root another."""
    if os.geteuid() != 0:
        command = [sys.executable, "-I", "-S", str(root / script), *(argument.replace("{checkout}", str(root)) for argument in arguments)]
    else:
        command = [sys.executable, str(root / "tests/runner/unprivileged.py"), folder, str(root), script, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 77:
        pytest.skip(f"an unprivileged user cannot be had here: {run.stderr.strip()}")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def assert_layers_hold(said):
    for name, layer in said["layers"].items():
        if name in ("landlock", "seccomp", "uid") and name not in said["plan"]["layers"]:
            continue
        assert isinstance(layer, dict), (name, layer)
        assert layer["imports"] == said["plain"], name
        expected = MUST_WORK | STOPPED_BY.get(name, {}) if name != "all" or said["plan"]["level"] >= 3 else MUST_WORK
        assert {act: layer["acts"][act] for act in expected} == expected, name


@pytest.mark.parametrize("python", pythons().values(), ids=[".".join(map(str, version)) for version in pythons()])
def test_every_standard_module_imports_late_and_every_layer_stops_its_own(python, folder, root):
    command = [python, "-I", "-S", str(root / "tests/runner/layers.py"), str(root), folder]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    said = json.loads(run.stdout)
    assert len(said["plain"]) > 200
    assert_layers_hold(said)
    assert "limits" in said["plan"]["layers"] and "dumpable" in said["plan"]["layers"]


def test_every_layer_holds_for_an_unprivileged_user(folder, root):
    said = as_nobody(folder, root, "tests/runner/layers.py", "{checkout}", folder)
    assert "uid: the judge does not run as root" in said["plan"]["missing"]
    assert_layers_hold(said)


def test_hostile_submissions_find_nothing_open_for_an_unprivileged_user(folder, root):
    said = as_nobody(folder, root, "tests/runner/findings.py", "{checkout}")
    if said["level"] < 3:
        pytest.skip(f"level {said['level']}: {said['missing']}")
    assert said["level"] == 3
    assert said["uid"] != 0
    assert said["open"] == []
    assert said["tried"] >= 8
    assert said["wrong"] == []


def test_the_filter_forbids_writing_wherever_landlock_does_not(monkeypatch, root):
    monkeypatch.setattr(harden.landlock, "abi", lambda: 0)
    monkeypatch.setattr(harden, "_fault", lambda plan: "")
    assert harden.choose_plan((), str(root)).filter == seccomp.program(may_write=False)
    monkeypatch.undo()
    monkeypatch.setattr(harden, "_fault", lambda plan: "cannot read its modules" if plan.rules is not None else "")
    weaker = harden.choose_plan((), str(root))
    assert weaker.rules is None and weaker.filter == seccomp.program(may_write=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_root_becomes_a_user_of_its_own_that_no_two_fork_servers_share():
    source = "import os\ndef f(): return os.getresuid(), os.getresgid(), os.getgroups()\n"
    users = []
    for _ in range(2):
        with PipeBackend(speed=1.0) as backend:
            uids, gids, groups = Opened(backend, source).sub.f()
            if "uid" not in backend.isolation()["layers"]:
                pytest.skip("; ".join(backend.isolation()["missing"]))
            assert len(set(uids)) == len(set(gids)) == 1 and uids[0] >= harden.FIRST_UID
            assert groups == []
            users.append(uids[0])
    assert users[0] != users[1]


def test_the_filter_has_a_table_for_each_architecture_and_no_other():
    for machine in seccomp.ARCHITECTURES:
        code = seccomp.program(may_write=False, machine=machine)
        assert len(code) % 8 == 0 and len(code) // 8 < 4096
    with pytest.raises(OSError, match="no seccomp table for riscv64"):
        seccomp.program(may_write=True, machine="riscv64")


def test_no_system_call_has_two_names():
    for column in (0, 1):
        numbers = [numbers[column] for numbers in seccomp.NUMBERS.values() if numbers[column] is not None]
        assert len(set(numbers)) == len(numbers)
        assert seccomp.CLONE3 not in numbers
