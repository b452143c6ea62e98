"""How a submission's session ends, what is told of it, and what it used: the same for forked and spawned processes."""

import sys

import pytest

from practice.kernel.calls import last_calls
from practice.kernel.failure import SessionEnded
from practice.kernel.verdict import Status
from practice.runner.backend import PipeBackend
from tests.runner.sessions import Opened, ending

linux = pytest.mark.skipif(sys.platform != "linux", reason="a CPU clock of another process is read on Linux only")


@pytest.fixture(scope="module", params=["forked", "spawned", "spawned, read by threads"])
def backend(request):
    with PipeBackend(speed=1.0, fork=request.param == "forked") as backend:
        if "threads" in request.param:
            backend._processes._poll = False  # what a platform without poll() gets
        yield backend


def test_a_session_that_answers_ends_well_and_tells_what_it_used(backend):
    """Also when the judge itself holds much memory, which Linux counts as a spawned process's own."""
    held = bytearray(b"x") * 150_000_000
    opened = Opened(backend, "def f(a, b):\n    print('hello')\n    return a + b\n")
    assert opened.sub.f(2, 3) == 5
    usage = opened.usage()
    assert usage.ended is None
    assert usage.output == "hello\n"
    assert 0 < usage.seconds < 0.2
    assert len(held) > 2**27 > usage.memory > 2**20
    assert opened.usage() is usage


@linux
def test_cpu_time_of_the_submission_is_measured_without_the_start_of_its_process(backend):
    usage = ending(backend, "import time\ndef f():\n    until = time.process_time() + 0.1\n    while time.process_time() < until: pass\n")
    assert 0.1 <= usage.seconds < 0.16


@pytest.mark.parametrize(
    "source, status, words",
    [
        ("import os\ndef f(): os._exit(0)\n", Status.RUNTIME_ERROR, "ended before it answered (exit 0)"),
        ("import os\ndef f(): os._exit(7)\n", Status.RUNTIME_ERROR, "ended before it answered (exit 7)"),
        ("import os\ndef f(): os.abort()\n", Status.RUNTIME_ERROR, "ended before it answered (signal SIGABRT)"),
        ("import os\ndef f():\n    os.close(4)\n    while True: pass\n", Status.RUNTIME_ERROR, "closed its connection"),
        ("def f():\n    while True: pass\n", Status.TIME_LIMIT, ""),
        ("def f():\n    while True: print('x' * 99)\n", Status.OUTPUT_LIMIT, ""),
        ("import os\ndef f(): os.write(4, b'\\xff' * 9)\n", Status.RUNTIME_ERROR, "instead of an answer"),
    ],
)
def test_each_end_is_told_from_the_others(backend, source, status, words):
    usage = ending(backend, source, output=1000)
    assert usage.ended is status
    assert words in usage.reason


def test_the_call_that_hung_is_told_after_those_before_it(backend):
    opened = Opened(backend, "class P:\n    def add(self, n):\n        while n == 2: pass\n")
    p = opened.sub.P()
    p.add(1)
    with pytest.raises(SessionEnded):
        p.add(2)
    assert opened.usage().ended is Status.TIME_LIMIT
    assert last_calls(opened.link) == ["p = P()", "p.add(1)", "p.add(2)  # did not return"]


def test_waiting_is_a_time_limit_with_its_own_words(backend):
    usage = ending(backend, "import time\ndef f(): time.sleep(60)\n", seconds=0.05)
    assert usage.ended is Status.TIME_LIMIT
    assert "waits rather than computes (ended after 2.1 s)" in usage.reason


@linux
def test_memory_over_the_limit_is_told_even_when_it_answers(backend):
    opened = Opened(backend, "def f(): return len(bytearray(b'x' * 90_000_000))\n", seconds=3.0, memory=64 * 2**20)
    assert opened.sub.f() == 90_000_000
    assert opened.usage().ended is Status.MEMORY_LIMIT


@linux
def test_memory_far_over_the_limit_is_refused_inside(backend):
    opened = Opened(backend, "def f():\n    try: return len(bytes(1 << 30))\n    except MemoryError: return 'refused'\n", seconds=3.0, memory=64 * 2**20)
    assert opened.sub.f() == "refused"
    opened.usage()


def test_output_is_kept_up_to_the_limit_and_decoded_whatever_it_is(backend):
    usage = ending(backend, "import os\ndef f(): os.write(1, b'a\\xff' * 100)\n", output=200)
    assert usage.ended is None
    assert usage.output == "a\ufffd" * 100
    assert ending(backend, "import os\ndef f(): os.write(2, b'a' * 201)\n", output=200).ended is Status.OUTPUT_LIMIT


def test_output_in_the_background_is_counted(backend):
    source = "import os, threading, time\ndef flood():\n    while True: os.write(1, b'x' * 1000)\n"
    source += "def f():\n    threading.Thread(target=flood, daemon=True).start()\n    time.sleep(1)\n"
    assert ending(backend, source, output=1000).ended is Status.OUTPUT_LIMIT


def test_large_values_pass_both_ways(backend):
    opened = Opened(backend, "def f(data): return data\n", seconds=2.0)
    data = bytes(range(256)) * 12_000
    assert opened.sub.f(data) == data
    assert opened.usage().ended is None


def test_callbacks_may_ask_again(backend):
    opened = Opened(backend, "def f(call, n): return call(n) + 1\ndef g(n): return 2 * n\n")
    assert opened.sub.f(lambda n: opened.sub.g(n), 20) == 41
    opened.usage()


def test_an_ended_session_says_so_again(backend):
    opened = Opened(backend, "import os\ndef f(): os._exit(0)\n")
    for _ in range(2):
        with pytest.raises(SessionEnded):
            opened.sub.f()
    assert opened.usage().ended is Status.RUNTIME_ERROR


def test_nothing_to_read_and_nothing_of_the_judge_in_sight(backend, monkeypatch):
    monkeypatch.setenv("HOSTILE_CANARY", "here")
    source = "import os, sys\ndef f():\n    names = [name in os.environ for name in ('HOSTILE_CANARY', 'HOME')]\n"
    source += "    return sys.stdin.read(), sys.argv, *names, os.getcwd()\n"
    opened = Opened(backend, source)
    assert opened.sub.f() == ("", [""], False, False, "/")
    opened.usage()


def test_only_what_the_exercise_requires_can_be_imported(backend):
    tries = "def f(name):\n    try: return bool(__import__(name))\n    except ImportError: return False\n"
    opened = Opened(backend, tries)
    assert [opened.sub.f(name) for name in ("colorsys", "numpy", "sim", "pytest", "click")] == [True, False, False, False, False]
    opened.usage()
