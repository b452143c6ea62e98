"""One check's submission: the transport its questions travel on, and how it ended."""

import os
import signal
from typing import NamedTuple, Protocol

from practice.kernel import wire
from practice.kernel.backend import Usage
from practice.kernel.exercise import Limits
from practice.kernel.failure import SessionEnded
from practice.kernel.verdict import Status
from practice.runner import memory
from practice.runner.clock import Watch, cpu_seconds
from practice.runner.handshake import EXIT_MEMORY, READY
from practice.runner.stopped import Stopped

START_SECONDS = 5.0
"""CPU seconds, beyond the limit, for a process to put on its layers before anything of the submission is read."""
GRACE_SECONDS = 0.25
"""How long a process whose pipes have closed may take to end, before it is ended: its own exit code says more."""


class CannotStart(Exception):
    """No process can be had: ours to explain, never the submission's fault."""


class Kind(NamedTuple):
    """What a process is made for."""

    requires: tuple[str, ...]
    """Modules that are loaded before the submission: "numpy", "sim"."""
    limits: Limits
    seconds: float
    """The CPU limit on this machine."""
    warm: tuple[str, ...] = ()
    """Modules of the standard library worth loading before a fork."""


class Ended(NamedTuple):
    """How a process ended, as wait4 tells it."""

    status: int
    """The wait status: see os.WIFEXITED and its kin."""
    seconds: float
    """CPU seconds, user and system."""
    memory: int
    """Peak resident bytes, 0 where the system does not say."""
    killed: bool
    """We ended it: it had not ended by itself."""


class Process(Protocol):
    """The submission's process, however it was made."""

    def pid(self) -> int: ...

    def end(self, grace: float) -> Ended: ...


class Channels(Protocol):
    """Our ends of its pipes: pipes.Pipes or threads.ThreadPipes."""

    output: bytearray

    def time_with(self, watch: Watch) -> None: ...

    def write(self, data: bytes) -> None: ...

    def read(self, size: int) -> bytes: ...

    def drain(self) -> None: ...

    def close(self) -> None: ...


class PipeSession:
    """A submission's process and its pipes; `transport` is the session itself."""

    def __init__(self, process: Process, pipes: Channels, kind: Kind) -> None:
        self._process = process
        self._pipes = pipes
        self._kind = kind
        self._spent = 0.0
        """CPU seconds the process used before the submission's turn came."""
        self._stopped: Stopped | None = None
        self._usage: Usage | None = None

    @property
    def transport(self) -> "PipeSession":
        return self

    def begin(self) -> None:
        """Wait until the process has all its layers on. Raises CannotStart when it has not."""
        self._pipes.time_with(Watch(self._process.pid(), self._kind.seconds + START_SECONDS))
        try:
            ready = self._pipes.read(len(READY))
        except Stopped as stopped:
            self.discard()
            raise CannotStart(f"{stopped.reason} {self._pipes.output.decode(errors='replace')}".strip()) from None
        if ready != READY:
            self.discard()
            raise CannotStart("a process began with something else than its first word")
        self._spent = cpu_seconds(self._process.pid()) or 0.0
        self._pipes.time_with(Watch(self._process.pid(), self._kind.seconds, self._spent, self._bytes_to_look_for()))

    def _bytes_to_look_for(self) -> int:
        return 0 if memory.is_enforced() else self._kind.limits.memory

    def discard(self) -> None:
        """End a process that was never used."""
        self._pipes.close()
        try:
            self._process.end(0.0)
        except CannotStart:
            pass

    def exchange(self, frame: bytes, on_callback) -> bytes:
        """The answer to one request; callbacks of the submission are answered meanwhile. Raises SessionEnded."""
        if self._stopped is not None:
            raise SessionEnded(self._stopped.reason)
        try:
            wire.write_frame(self._pipes.write, frame)
            while True:
                answer = wire.read_frame(self._pipes.read)
                if wire.kind_of(answer) != wire.CALLBACK:
                    return answer
                wire.write_frame(self._pipes.write, on_callback(answer))
        except Stopped as stopped:
            self._stopped = stopped
        except wire.WireError as error:
            self._stopped = Stopped(Status.RUNTIME_ERROR, f"your program sent {error} instead of an answer")
        raise SessionEnded(self._stopped.reason)

    def close(self) -> Usage:
        """End the process and all it left; how it ended and what it used."""
        if self._usage is None:
            self._usage = self._close()
        return self._usage

    def _close(self) -> Usage:
        gone = self._stopped is not None and self._stopped.status is None
        try:
            ended = self._process.end(GRACE_SECONDS if gone else 0.0)
            ended = ended._replace(seconds=max(0.0, ended.seconds - self._spent))
        except CannotStart as error:
            self._pipes.close()
            return Usage(0.0, 0, "", Status.JUDGE_ERROR, f"the submission's process was lost: {error}")
        try:
            self._pipes.drain()
        except Stopped as stopped:
            self._stopped = self._stopped if self._stopped and self._stopped.status else stopped
        self._pipes.close()
        status, reason = self._how(ended, gone)
        return Usage(ended.seconds, ended.memory, self._pipes.output.decode(errors="replace"), status, reason)

    def _how(self, ended: Ended, gone: bool) -> tuple[Status | None, str]:
        """The limit that was reached or the end it made itself, if there is one, and in words."""
        if self._stopped is not None and self._stopped.status is not None:
            return self._stopped.status, self._stopped.reason
        if ended.seconds > self._kind.seconds or _was_signalled(ended.status, "SIGXCPU"):
            return Status.TIME_LIMIT, ""
        if ended.memory > self._kind.limits.memory or (gone and ended.status == EXIT_MEMORY << 8):
            return Status.MEMORY_LIMIT, f"more than {self._kind.limits.memory >> 20} MiB"
        if not gone:
            return None, ""
        return Status.RUNTIME_ERROR, f"your program ended before it answered ({_end_in_words(ended)})"


def _was_signalled(status: int, name: str) -> bool:
    return os.name == "posix" and os.WIFSIGNALED(status) and os.WTERMSIG(status) == getattr(signal, name)


def _end_in_words(ended: Ended) -> str:
    """`exit 0`, `signal SIGSEGV`."""
    if ended.killed:
        return "it closed its connection"
    if os.name != "posix" or os.WIFEXITED(ended.status):
        return f"exit {ended.status >> 8}"
    number = os.WTERMSIG(ended.status)
    return f"signal {signal.Signals(number).name}" if number in set(signal.Signals) else f"signal {number}"
