"""Pipes where waiting for several files at once is not to be had (Windows): one thread for each direction.

The same as pipes.Pipes from outside. The threads end with the pipes, that is with the submission's process.
"""

import os
import queue
import threading

from practice.kernel.verdict import Status
from practice.runner.clock import Watch
from practice.runner.stopped import Stopped

READ_BYTES = 2**16


class ThreadPipes:
    """Our ends of requests, answers and output."""

    def __init__(self, output_limit: int) -> None:
        self.output = bytearray()
        self._output_limit = output_limit
        self._watch: Watch | None = None
        self._rest = b""
        (child_requests, requests), (answers, child_answers), (output, child_output) = (os.pipe() for _ in range(3))
        self.theirs = (child_requests, child_answers, child_output)
        self._answered: queue.Queue[bytes] = queue.Queue(maxsize=4)
        self._to_send: queue.Queue[bytes | None] = queue.Queue()
        self._sent = threading.Event()
        self._printing = threading.Thread(target=self._keep_output, args=(output,), daemon=True)
        threading.Thread(target=_read_all, args=(answers, self._answered.put), daemon=True).start()
        threading.Thread(target=self._send_all, args=(requests,), daemon=True).start()
        self._printing.start()

    def give_away(self) -> None:
        for end in self.theirs:
            os.close(end)
        self.theirs = ()

    def time_with(self, watch: Watch) -> None:
        self._watch = watch

    def write(self, data: bytes) -> None:
        """Send all of `data`. Raises Stopped."""
        self._sent.clear()
        self._to_send.put(data)
        self._watch.start()
        try:
            while not self._sent.wait(self._time_left()):
                pass
        finally:
            self._watch.stop()

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes of answers. Raises Stopped."""
        parts, have = [self._rest], len(self._rest)
        self._watch.start()
        try:
            while have < size:
                part = self._next_part()
                parts.append(part)
                have += len(part)
        finally:
            self._watch.stop()
        data = b"".join(parts)
        self._rest = data[size:]
        return data[:size]

    def drain(self) -> None:
        """Wait for the rest of the output of a process that has ended. Raises Stopped over the limit."""
        self._printing.join(1.0)
        if len(self.output) > self._output_limit:
            raise Stopped(Status.OUTPUT_LIMIT, "printed too much")

    def close(self) -> None:
        self.give_away()
        self._to_send.put(None)

    def _next_part(self) -> bytes:
        while True:
            try:
                part = self._answered.get(timeout=self._time_left())
            except queue.Empty:
                continue
            if not part:
                raise Stopped(None, "")
            return part

    def _time_left(self) -> float:
        """Seconds to wait before looking again, at most a twentieth. Raises Stopped when a limit is reached."""
        if len(self.output) > self._output_limit:
            raise Stopped(Status.OUTPUT_LIMIT, "printed too much")
        return min(self._watch.remaining(), 0.05)

    def _send_all(self, requests: int) -> None:
        """The writing thread: a write may wait for ever, so nobody else does it."""
        while (data := self._to_send.get()) is not None:
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(requests, view) :]
            except OSError:  # the process is gone, which the reader of answers will say
                pass
            self._sent.set()
        os.close(requests)

    def _keep_output(self, output: int) -> None:
        def keep(part: bytes) -> None:
            if len(self.output) <= self._output_limit:
                self.output += part

        _read_all(output, keep)


def _read_all(end: int, put) -> None:
    """Give every part to `put`, and b"" at the end."""
    while True:
        try:
            part = os.read(end, READ_BYTES)
        except OSError:
            part = b""
        put(part)
        if not part:
            break
    os.close(end)
