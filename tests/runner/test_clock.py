"""When a submission has had enough."""

import os
import subprocess
import sys
import time

import pytest

from practice.kernel.verdict import Status
from practice.runner.clock import Watch, cpu_seconds, queued_seconds, wall_limit
from practice.runner.memory import LOOK_EVERY, resident_bytes
from practice.runner.stopped import Stopped


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_cpu_seconds_of_another_process_grow_as_it_computes():
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        time.sleep(0.15)
        before = cpu_seconds(busy.pid)
        time.sleep(0.1)
        assert cpu_seconds(busy.pid) > before
    finally:
        busy.kill()
        busy.wait()
    assert cpu_seconds(busy.pid) is None


def test_waiting_runs_out_at_three_limits_and_two_seconds():
    assert wall_limit(1.0) == 5.0
    watch = Watch(os.getpid(), -0.67)  # a wall limit of -0.01 s: up at once
    watch.start()
    with pytest.raises(Stopped, match="waits rather than computes") as stopped:
        watch.remaining()
    assert stopped.value.status is Status.TIME_LIMIT


@pytest.mark.slow
@pytest.mark.skipif(not queued_seconds("self"), reason="this system does not say how long a process waited for a core")
def test_waiting_for_a_core_is_not_waiting():
    """Three processes on one core: the one that is asked is ready all the time and runs a third of it."""
    core = min(os.sched_getaffinity(0))
    code = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    busy = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    try:
        watch = Watch(busy[0].pid, -17 / 30)  # a wall limit of 0.3 s; its CPU limit is not looked at
        watch._look_after = 60.0
        watch.start()
        until = time.monotonic() + 0.35
        while time.monotonic() < until:
            assert watch.remaining() > 0
            time.sleep(0.01)
        with pytest.raises(Stopped, match="waits rather than computes"):
            while time.monotonic() < until + 5:  # ended after four times the limit, whatever the machine does
                watch.remaining()
                time.sleep(0.01)
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_only_the_time_between_start_and_stop_counts():
    watch = Watch(os.getpid(), 5.0, spent=cpu_seconds(os.getpid()) or 0.0)
    watch.start()
    watch.stop()
    time.sleep(0.03)
    watch.start()
    assert watch.remaining() > 4.99


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_computing_runs_out_by_the_cpu_clock():
    watch = Watch(os.getpid(), 0.02, spent=time.process_time())
    watch.start()
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    with pytest.raises(Stopped) as stopped:
        watch.remaining()
    assert (stopped.value.status, stopped.value.reason) == (Status.TIME_LIMIT, "")


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="memory of another process is read on Linux and macOS only")
def test_memory_is_looked_at_where_the_kernel_enforces_no_limit():
    held = resident_bytes(os.getpid())
    assert 2**22 < held < 2**34
    watch = Watch(os.getpid(), 5.0, most_bytes=4 * held)
    watch.start()
    assert watch.remaining() == LOOK_EVERY
    watch = Watch(os.getpid(), 5.0, most_bytes=held // 2)
    watch.start()
    with pytest.raises(Stopped) as stopped:
        watch.remaining()
    assert stopped.value.status is Status.MEMORY_LIMIT
    assert resident_bytes(2**22 + 5) == 0
