"""The submission in the judge's own process, behind the same codec: the browser's backend, and the reference's home.

Nothing is isolated here but names: each session has a module of its own, and what a submission does to the builtins and
the standard streams is undone after each request. Time is watched by whoever runs us (the page ends its worker).
"""

import builtins
import gc
import sys
from collections.abc import Callable
from time import perf_counter, process_time

from practice.kernel.backend import Usage
from practice.kernel.capture import Captured, Redirected
from practice.kernel.exercise import Exercise, Limits
from practice.kernel.failure import SessionEnded
from practice.kernel.server import Server
from practice.kernel.verdict import Status

_BUILTINS = vars(builtins)
"""Held here, because a submission can delete `vars`, too."""


_IS_BROWSER = sys.platform == "emscripten"
_clock = perf_counter if _IS_BROWSER else process_time
"""A browser has no clock of CPU time."""


class LoopbackBackend:
    """One namespace per check, in this process.

    name: "submission", or "reference" for the solution that checks compare with.
    """

    name = "loopback"

    def __init__(self, module: str = "submission") -> None:
        self._module = module

    def isolation(self) -> dict:
        return {"level": 0, "layers": [], "missing": ["process"]}

    def limit_seconds(self, limits: Limits) -> float:
        return limits.seconds

    def open(self, exercise: Exercise, submission: bytes) -> "LoopbackSession":
        return LoopbackSession(self._module, exercise.limits.output)


class LoopbackSession:
    """Both ends of a transport: encodes nothing itself, the frames are the same as in a pipe."""

    announce: Callable | None = None
    """See backend.Transport."""

    def __init__(self, module: str, output: int) -> None:
        self.transport = self
        self._module = module
        self._module_before = sys.modules.get(module)
        self._server = Server(module)
        if _IS_BROWSER:
            from practice.kernel import eventloop

            eventloop.replace_asyncio_run()
        self._captured = Captured(output)
        self._seconds = 0.0
        self._depth = 0
        self._ended: Status | None = None

    def exchange(self, frame: bytes, on_callback) -> bytes:
        if self._ended:
            raise SessionEnded
        saved = _BUILTINS.copy()
        began = _clock()
        self._depth += 1
        try:
            with Redirected(self._captured):
                return self._server.handle(frame, on_callback)
        except (SessionEnded, KeyboardInterrupt):
            raise
        except BaseException:  # it took away what the server itself needs; in a process of its own that would have ended it
            self._ended = Status.RUNTIME_ERROR
            raise SessionEnded from None
        finally:
            if _BUILTINS != saved:
                _BUILTINS.clear()
                _BUILTINS.update(saved)
            self._depth -= 1
            if not self._depth:  # a call made while a callback runs is part of the outer one's time
                self._seconds += _clock() - began
            if self._captured.overflowed:
                self._ended = Status.OUTPUT_LIMIT
                raise SessionEnded

    def close(self) -> Usage:
        with Redirected(self._captured):
            gc.collect(1)  # what a dropped task or a `__del__` has to say belongs to the submission's output, not to ours
        if self._module_before is None:
            sys.modules.pop(self._module, None)
        else:
            sys.modules[self._module] = self._module_before
        return Usage(self._seconds, 0, self._captured.text(), self._ended)
