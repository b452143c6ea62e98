"""The judge's ends of a submission's three pipes: requests, answers, output. Every read and write has a deadline."""

import fcntl
import os
import select

from practice.kernel.verdict import Status
from practice.runner.clock import Watch
from practice.runner.stopped import Stopped

PIPE_BYTES = 2**20
"""What a pipe may hold, where the system lets us ask: one write for a 1 MB array instead of sixteen."""
SET_PIPE_SIZE = 1031
"""F_SETPIPE_SZ of Linux."""
READ_BYTES = 2**16


class Pipes:
    """Our ends, and what the submission has printed so far."""

    def __init__(self, output_limit: int) -> None:
        self.output = bytearray()
        """What was printed, at most one read more than the limit."""
        self._output_limit = output_limit
        self._watch: Watch | None = None
        self._rest = b""
        self._prints = True
        (child_requests, self._requests), (self._answers, child_answers), (self._output, child_output) = (os.pipe() for _ in range(3))
        self.theirs = (child_requests, child_answers, child_output)
        """The other ends, until give_away() closes our copies of them."""
        for end in (self._requests, self._answers, self._output):
            os.set_blocking(end, False)
        for end in (self._requests, self._answers):
            _enlarge(end)
        self._reading = _poll(self._answers, self._output)
        self._writing = _poll(self._output)
        self._writing.register(self._requests, select.POLLOUT)

    def give_away(self) -> None:
        for end in self.theirs:
            os.close(end)
        self.theirs = ()

    def time_with(self, watch: Watch) -> None:
        self._watch = watch

    def write(self, data: bytes) -> None:
        """Send all of `data`. Raises Stopped."""
        view = memoryview(data)
        self._watch.start()
        try:
            while view:
                try:
                    view = view[os.write(self._requests, view) :]
                except BlockingIOError:
                    self._wait(self._writing)
                except BrokenPipeError:
                    raise Stopped(None, "") from None
        finally:
            self._watch.stop()

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes of answers. Raises Stopped."""
        if len(self._rest) >= size:
            data, self._rest = self._rest[:size], self._rest[size:]
            return data
        parts, have = [self._rest], len(self._rest)
        self._watch.start()
        try:
            while have < size:
                part = self._read_some(max(READ_BYTES, size - have))
                parts.append(part)
                have += len(part)
        finally:
            self._watch.stop()
        data = b"".join(parts)
        self._rest = data[size:]
        return data[:size] if self._rest else data

    def drain(self) -> None:
        """Take what was printed and not read yet. Raises Stopped over the limit."""
        while True:
            try:
                part = os.read(self._output, READ_BYTES)
            except BlockingIOError:
                return
            if not part:
                self._forget_output()
                return
            self.output += part
            if len(self.output) > self._output_limit:
                raise Stopped(Status.OUTPUT_LIMIT, "printed too much")

    def _forget_output(self) -> None:
        """Nobody can print any more, and poll would say so for ever."""
        if self._prints:
            self._writing.unregister(self._output)
            self._reading.unregister(self._output)
        self._prints = False

    def close(self) -> None:
        for end in (*self.theirs, self._requests, self._answers, self._output):
            os.close(end)
        self.theirs = ()

    def _read_some(self, size: int) -> bytes:
        while True:
            self._wait(self._reading)
            try:
                part = os.read(self._answers, size)
            except BlockingIOError:
                continue
            if not part:
                raise Stopped(None, "")
            return part

    def _wait(self, poll: select.poll) -> None:
        """Wait until something other than output happens. Raises Stopped when a limit is reached."""
        while True:
            happened = poll.poll(int(self._watch.remaining() * 1000) + 1)
            if any(end == self._output for end, _ in happened):
                self.drain()
            if any(end != self._output for end, _ in happened):
                return


def _poll(*ends: int) -> select.poll:
    poll = select.poll()
    for end in ends:
        poll.register(end, select.POLLIN)
    return poll


def _enlarge(end: int) -> None:
    try:
        fcntl.fcntl(end, SET_PIPE_SIZE, PIPE_BYTES)
    except OSError:  # another system, or the user's share of pipe memory is used up
        pass
