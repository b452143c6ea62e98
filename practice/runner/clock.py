"""When a submission has had enough: the CPU seconds it used, the seconds the judge has waited for it, its memory."""

import sys
import time

from practice.kernel.verdict import Status
from practice.runner import memory
from practice.runner.stopped import Stopped

WALL_FACTOR = 3.0
WALL_SECONDS = 2.0
"""Waiting longer than 3 x the CPU limit + 2 s is a time limit too: code that sleeps or waits for a lock uses no CPU."""
BUSY_FACTOR = 4.0
"""Time in which the submission or the judge was ready and the machine had no core for them is not waiting; but after four
times the limit on waiting nobody learns anything from going on."""


def wall_limit(seconds: float) -> float:
    return WALL_FACTOR * seconds + WALL_SECONDS


def cpu_seconds(pid: int) -> float | None:
    """CPU seconds of another living process, all threads; None where the system does not say."""
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of <linux/posix-timers_types.h>
    except OSError:
        return None


def queued_seconds(process: int | str) -> float:
    """Seconds that a process, or "thread-self", was ready to run and got no core; 0.0 where the system does not say."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as file:
            return int(file.read().split()[1]) * 1e-9
    except (OSError, IndexError, ValueError):
        return 0.0


class Watch:
    """Says when a process has reached a limit. Only waiting counts: what the judge computes meanwhile is not its fault."""

    def __init__(self, pid: int, limit: float, spent: float = 0.0, most_bytes: int = 0) -> None:
        """limit: CPU seconds beyond the `spent` ones. most_bytes: resident bytes to look for now and then, 0 for never."""
        self._pid = pid
        self._limit = limit
        self._spent = spent
        self._most_bytes = most_bytes
        self._waited = 0.0
        self._started = 0.0
        self._queued_before = queued_seconds(pid) + queued_seconds("thread-self")
        self._look_after = limit
        """Waited seconds before which the CPU clock cannot have reached the limit, on one thread."""

    def start(self) -> None:
        self._started = time.monotonic()

    def stop(self) -> None:
        self._waited += time.monotonic() - self._started

    def remaining(self) -> float:
        """Seconds to wait before asking again. Between start() and stop(). Raises Stopped when a limit is reached."""
        waited = self._waited + time.monotonic() - self._started
        wall = self._wall_left(waited)
        if wall <= 0:
            raise Stopped(Status.TIME_LIMIT, f"it waits rather than computes (ended after {wall_limit(self._limit):.2g} s)")
        if waited >= self._look_after:
            left = self._cpu_left()
            if left <= 0:
                raise Stopped(Status.TIME_LIMIT, "")
            self._look_after = waited + max(left, 0.005)
        seconds = min(wall, self._look_after - waited)
        return min(seconds, self._look_at_memory()) if self._most_bytes else seconds

    def _wall_left(self, waited: float) -> float:
        limit = wall_limit(self._limit)
        if not limit < waited < BUSY_FACTOR * limit:
            return limit - waited
        return limit - waited + queued_seconds(self._pid) + queued_seconds("thread-self") - self._queued_before

    def _cpu_left(self) -> float:
        used = cpu_seconds(self._pid)
        return wall_limit(self._limit) if used is None else self._limit + self._spent - used

    def _look_at_memory(self) -> float:
        if memory.resident_bytes(self._pid) > self._most_bytes:
            raise Stopped(Status.MEMORY_LIMIT, "")
        return memory.LOOK_EVERY
