"""An asyncio event loop without sockets, threads or signals, for the side where the submission lives.

It works under a seccomp filter and in Pyodide, where the usual loops cannot be made. One loop serves a whole session, so
that a lock made in one call can be awaited in the next.
"""

import asyncio
import time
from asyncio import events


class Waiter:
    """Stands in for a selector: there is nothing to watch, so waiting is sleeping."""

    def select(self, timeout: float | None) -> list:
        if timeout is None:
            raise RuntimeError("all tasks wait for something that can no longer happen (a deadlock)")
        if timeout > 0:
            time.sleep(timeout)
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
        """Only a thread or a signal would need to wake the loop; there is neither."""


def complete(loop: asyncio.AbstractEventLoop, awaitable):
    """Run to completion, also inside a loop that is already running (the browser's)."""
    outer = events._get_running_loop()
    events._set_running_loop(None)
    try:
        return loop.run_until_complete(awaitable)
    finally:
        events._set_running_loop(outer)


def run(main, *, debug: bool | None = None, loop_factory=None):
    """What `asyncio.run` is on a platform whose own loops cannot be run to completion."""
    loop = Loop()
    try:
        return complete(loop, main)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        complete(loop, loop.shutdown_asyncgens())
        loop.close()
