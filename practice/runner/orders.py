"""The judge's side of a fork server: start it without waiting, order processes, hear how they ended."""

import os
import signal
import sys
import time
from pathlib import Path

from practice.runner.channel import ChannelClosed, make_pair
from practice.runner.session import CannotStart, Ended

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds practice/ and sim.py."""
START_SECONDS = 60.0
"""A fork server that has not spoken by then (numpy on a cold disk included) is given up."""
ANSWER_SECONDS = 20.0
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}
"""All that a submission finds in os.environ: one thread per process, and one heap, so that limits mean something."""


class ForkServer:
    """A running fork server for one set of required modules. Not for several threads."""

    def __init__(self, requires: tuple[str, ...]) -> None:
        self._channel, theirs = make_pair()
        os.set_inheritable(theirs.fileno(), True)
        self._pid = _start(theirs.fileno(), requires)
        theirs.close()
        self._hello: dict | None = None
        self._asked = 0
        self._heard = 0
        self._answers: dict[int, dict] = {}

    def is_alive(self) -> bool:
        return not os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    def isolation(self) -> dict:
        """{"level", "layers", "missing"} of its children. Raises CannotStart, with its words when it said why."""
        if self._hello is None:
            self._hello = self._receive(START_SECONDS)
        if "error" in self._hello:
            raise CannotStart(self._hello["error"])
        return self._hello

    def order_fork(self, seconds: float, memory: int, warm: list[str], files: tuple[int, int, int]) -> int:
        """Ask for a process; the ticket that `pid_of` takes. Does not wait."""
        return self._ask({"do": "fork", "seconds": seconds, "memory": memory, "warm": warm}, files)

    def pid_of(self, ticket: int) -> int:
        return self._answer(ticket)["pid"]

    def end(self, pid: int, grace: float = 0.0) -> Ended:
        """End a process and all it left, after giving it `grace` seconds to end by itself."""
        answer = self._answer(self._ask({"do": "end", "pid": pid, "grace": grace}))
        return Ended(**answer)

    def close(self) -> None:
        """End the server, which ends its children."""
        self._channel.close()
        until = time.monotonic() + 2.0
        while not os.waitpid(self._pid, os.WNOHANG)[0]:
            if time.monotonic() > until:
                os.kill(self._pid, signal.SIGKILL)
            time.sleep(0.0005)

    def _ask(self, order: dict, files: tuple[int, ...] = ()) -> int:
        try:
            self._channel.send(order, files)
        except ChannelClosed as error:
            raise CannotStart(str(error)) from None
        self._asked += 1
        return self._asked

    def _answer(self, ticket: int) -> dict:
        self.isolation()
        while ticket not in self._answers:
            self._heard += 1
            self._answers[self._heard] = self._receive(ANSWER_SECONDS)
        return self._answers.pop(ticket)

    def _receive(self, seconds: float) -> dict:
        try:
            return self._channel.receive(seconds)[0]
        except ChannelClosed as error:
            raise CannotStart(f"the fork server is gone ({error})") from None


def _start(channel: int, requires: tuple[str, ...]) -> int:
    script = str(ROOT / "practice" / "runner" / "forkserver.py")
    packages = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
    arguments = [sys.executable, "-I", "-S", script, str(channel), str(ROOT), ",".join(requires), packages]
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1)]
    return os.posix_spawn(sys.executable, arguments, ENVIRONMENT, file_actions=nothing)
