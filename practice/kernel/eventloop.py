"""An asyncio event loop without sockets or signals, for the side where the submission lives.

It works under a seccomp filter and in Pyodide, where the usual loops cannot be made. One loop serves a whole session, so
that a lock made in one call can be awaited in the next.
"""

import asyncio
import sys
import time
from asyncio import events

_SLICE = 0.0005
"""Seconds between two looks at whether a thread has called."""


class Waiter:
    """Stands in for a selector: there is nothing to watch, so waiting is sleeping until a timer is due or a thread calls."""

    def __init__(self) -> None:
        self._threads_before = _threads()
        self.is_called = False
        """Set by a thread (asyncio.to_thread) that has handed in its result."""

    def select(self, timeout: float | None) -> list:
        until = None if timeout is None else time.monotonic() + timeout
        while not self.is_called and (until is None or time.monotonic() < until):
            if _threads() <= self._threads_before:
                if until is None:
                    raise RuntimeError("all tasks wait for something that can no longer happen (a deadlock)")
                time.sleep(max(until - time.monotonic(), 0))
            else:
                time.sleep(_SLICE)
        self.is_called = False
        return []

    def close(self) -> None:
        pass


class Loop(asyncio.BaseEventLoop):
    """Runs tasks, timers and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = Waiter()

    def _process_events(self, _events) -> None:
        pass

    def call_exception_handler(self, _context) -> None:
        """A task whose exception nobody asked for is dropped, as an exercise means it to be."""

    def _write_to_self(self) -> None:
        self._selector.is_called = True


def _threads() -> int:
    threading = sys.modules.get("threading")
    return threading.active_count() if threading else 1


def complete(loop: asyncio.AbstractEventLoop, awaitable):
    """Run to completion, also inside a loop that is already running (the browser's)."""
    outer = events._get_running_loop()
    events._set_running_loop(None)
    try:
        return loop.run_until_complete(awaitable)
    finally:
        events._set_running_loop(outer)


def run(main, *, debug: bool | None = None, loop_factory=None):
    """`asyncio.run`, for a platform whose own loops cannot be run to completion."""
    loop = Loop()
    try:
        return complete(loop, main)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        complete(loop, loop.shutdown_asyncgens())
        loop.close()


def replace_asyncio_run() -> None:
    """Make `asyncio.run` work where it cannot: in a browser the page's own loop is always running."""
    asyncio.run = run
    asyncio.new_event_loop = Loop
