"""The two clocks of a check: CPU seconds the submission used, and the seconds the judge has waited for it."""

import sys
import time

WALL_FACTOR = 3.0
WALL_SECONDS = 2.0
"""Waiting longer than 3 x the CPU limit + 2 s is a time limit too: code that sleeps or waits for a lock uses no CPU."""


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


class Stopwatch:
    """Says when a process has had its time. Only waiting counts: what the judge computes meanwhile is not its fault."""

    def __init__(self, pid: int, limit: float, spent: float = 0.0) -> None:
        """limit: CPU seconds beyond the `spent` ones."""
        self.limit = limit
        self._spent = spent
        self._pid = pid
        self._waited = 0.0
        self._started = 0.0
        self._look_after = limit
        """Waited seconds before which the CPU clock cannot have reached the limit, on one thread."""

    def start(self) -> None:
        self._started = time.monotonic()

    def stop(self) -> None:
        self._waited += time.monotonic() - self._started

    def remaining(self) -> float:
        """Seconds to wait before asking again; 0 or less: the time is up. Between start() and stop()."""
        waited = self._waited + time.monotonic() - self._started
        wall = wall_limit(self.limit) - waited
        if waited >= self._look_after:
            left = self._cpu_left()
            if left <= 0:
                return 0.0
            self._look_after = waited + max(left, 0.005)
        return min(wall, self._look_after - waited)

    def reason(self) -> str:
        """What there is to say beside the limit: "" when it computed too long, else that it waited."""
        if self._waited + time.monotonic() - self._started >= wall_limit(self.limit):
            return f"it waits rather than computes (ended after {wall_limit(self.limit):.2g} s)"
        return ""

    def _cpu_left(self) -> float:
        used = cpu_seconds(self._pid)
        return wall_limit(self.limit) if used is None else self.limit + self._spent - used
