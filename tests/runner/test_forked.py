"""The fork server: fresh processes, one always waiting, replaced when it fails, gone when the judge is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from practice.kernel.errors import PracticeError
from practice.kernel.verdict import Status
from practice.runner.backend import PipeBackend
from tests.runner.hostile.corpus import left_processes
from tests.runner.sessions import Opened

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
COUNT = "calls = []\ndef f():\n    calls.append(1)\n    return len(calls)\n"


@pytest.fixture
def backend():
    with PipeBackend(speed=1.0) as backend:
        yield backend
    assert left_processes(allowed=0) == ()


def server_pid(backend, requires=()):
    return backend._processes._servers[requires]._pid


def is_running(pid):
    """False for a zombie, too: it is only waiting to be counted."""
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill_and_wait(pid):
    os.kill(pid, signal.SIGKILL)
    wait_until_gone(pid)


def wait_until_gone(*pids):
    until = time.monotonic() + 5
    while any(map(is_running, pids)) and time.monotonic() < until:
        time.sleep(0.005)
    assert not any(map(is_running, pids))


def test_each_session_is_fresh_and_keeps_its_state(backend):
    for _ in range(3):
        opened = Opened(backend, COUNT)
        assert [opened.sub.f(), opened.sub.f()] == [1, 2]
        opened.usage()


def test_two_sessions_may_be_open_at_once(backend):
    one, other = Opened(backend, COUNT), Opened(backend, COUNT)
    assert (one.sub.f(), other.sub.f(), one.sub.f()) == (1, 1, 2)
    one.usage()
    other.usage()


def test_a_waiting_process_is_not_used_for_other_limits(backend):
    source = "import resource\ndef f(): return resource.getrlimit(resource.RLIMIT_CPU)[0]\n"
    assert Opened(backend, source, seconds=1.0).sub.f() == 2
    assert Opened(backend, source, seconds=7.0).sub.f() == 8


def test_a_fork_server_that_was_killed_is_replaced(backend):
    Opened(backend, COUNT).usage()
    kill_and_wait(server_pid(backend))
    opened = Opened(backend, COUNT)
    assert opened.sub.f() == 1
    opened.usage()


def test_a_fork_server_killed_during_a_session_is_our_fault_not_the_submission_s(backend):
    opened = Opened(backend, COUNT)
    kill_and_wait(server_pid(backend))
    usage = opened.usage()
    assert usage.ended is Status.JUDGE_ERROR
    assert "lost" in usage.reason


def test_modules_a_text_names_are_loaded_before_the_fork(backend):
    opened = Opened(backend, "import asyncio\ndef f():\n    import sys\n    return 'practice.kernel.eventloop' in sys.modules\n")
    assert opened.sub.f()
    opened.usage()


def test_numpy_and_the_simulator_where_required(backend):
    pytest.importorskip("numpy")
    opened = Opened(backend, "import numpy.polynomial, numpy.fft\ndef f(x): return x.sum()\n", requires=("numpy",))
    assert opened.fault is None
    opened.usage()
    opened = Opened(backend, "from sim import Setup, percentile\ndef f(): return percentile([1.0, 3.0], 50)\n", requires=("sim",))
    assert opened.fault is None
    assert opened.sub.f() in (1.0, 2.0, 3.0)
    opened.usage()


def test_a_missing_requirement_is_named(tmp_path, root):
    script = (
        "import sys; sys.path[:] = [sys.argv[1], *[p for p in sys.path if 'site-packages' not in p]]\n"
        "from practice.runner.backend import PipeBackend\n"
        "from practice.kernel.exercise import Exercise\n"
        "from practice.kernel.errors import PracticeError\n"
        "with PipeBackend(speed=1.0) as backend:\n"
        "    try: backend.open(Exercise(1, 'f', 'F', 't', 'easy', 1, (), '', requires=('numpy',)), b'')\n"
        "    except PracticeError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", script, str(root)], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout.startswith("this exercise needs numpy, which")
    assert "hint: install it:" in run.stdout


def test_no_interpreter_at_all_is_explained(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with PipeBackend(speed=1.0) as backend, pytest.raises(PracticeError, match="no process for the submission could be started"):
        Opened(backend, COUNT)


def test_everything_ends_when_the_judge_is_killed(root):
    script = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from practice.runner.backend import PipeBackend\n"
        "from tests.runner.sessions import Opened\n"
        "backend = PipeBackend(speed=1.0)\n"
        "opened = Opened(backend, 'def f(): return 1')\n"
        "print(backend._processes._servers[()]._pid, opened.session._process.pid(), flush=True)\n"
        "time.sleep(60)\n"
    )
    judge = subprocess.Popen([sys.executable, "-c", script, str(root)], stdout=subprocess.PIPE, text=True)
    pids = [int(pid) for pid in judge.stdout.readline().split()]
    assert len(pids) == 2
    judge.kill()
    judge.wait()
    judge.stdout.close()
    wait_until_gone(*pids)


def test_no_file_descriptors_are_left(backend):
    Opened(backend, COUNT).usage()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        Opened(backend, COUNT).usage()
    assert len(os.listdir("/proc/self/fd")) == before
