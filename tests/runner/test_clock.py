"""The two clocks of a check."""

import os
import subprocess
import sys
import time

import pytest

from practice.runner.clock import Stopwatch, cpu_seconds, wall_limit


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
    watch = Stopwatch(os.getpid(), -0.67)  # a wall limit of -0.01 s: up at once
    watch.start()
    assert watch.remaining() <= 0
    assert "waits rather than computes" in watch.reason()


def test_only_the_time_between_start_and_stop_counts():
    watch = Stopwatch(os.getpid(), 5.0, spent=cpu_seconds(os.getpid()) or 0.0)
    watch.start()
    watch.stop()
    time.sleep(0.03)
    watch.start()
    assert watch.remaining() > 4.99


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_computing_runs_out_by_the_cpu_clock():
    watch = Stopwatch(os.getpid(), 0.02, spent=time.process_time())
    watch.start()
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    assert watch.remaining() <= 0
    assert watch.reason() == ""
