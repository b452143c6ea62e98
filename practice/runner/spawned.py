"""A new interpreter for every check: slower than a fork server by the start of an interpreter, and works everywhere."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from practice.runner.memory import peak_bytes
from practice.runner.orders import ENVIRONMENT, ROOT
from practice.runner.session import CannotStart, Ended, Kind, PipeSession

SCRIPT = str(Path(__file__).with_name("cold.py"))


class SpawnedProcess:
    """One interpreter, in a session of its own."""

    def __init__(self, kind: Kind, ends: tuple[int, int, int]) -> None:
        limits = [str(kind.seconds), str(kind.limits.memory)]
        requests, answers, output = ends
        self._popen = _popen(_command(kind.requires, limits), requests, answers, output)

    def pid(self) -> int:
        return self._popen.pid

    def end(self, grace: float) -> Ended:
        """End it and its session, after `grace` seconds to end by itself."""
        if os.name != "posix":
            return self._end_plainly(grace)
        until, done = time.monotonic() + grace, 0
        while not done:
            done, status, usage = os.wait4(self.pid(), os.WNOHANG)
            if done or time.monotonic() >= until:
                break
            time.sleep(0.002)
        killed = not done
        peak = peak_bytes(self.pid()) if killed else 0
        _kill_session(self.pid(), killed)
        if killed:
            _, status, usage = os.wait4(self.pid(), 0)
        self._popen.returncode = os.waitstatus_to_exitcode(status)
        return Ended(status, usage.ru_utime + usage.ru_stime, peak or _memory(usage), killed)

    def _end_plainly(self, grace: float) -> Ended:
        """Without wait4: neither CPU time nor memory is known."""
        killed = False
        try:
            self._popen.wait(grace)
        except subprocess.TimeoutExpired:
            killed = True
            self._popen.kill()
        return Ended(self._popen.wait() << 8, 0.0, 0, killed)


class Spawned:
    """Hands out sessions; nothing is prepared, nothing is kept."""

    def __init__(self, *, poll: bool = hasattr(select, "poll")) -> None:
        """poll: False for pipes that are read by threads, as Windows needs them."""
        self._poll = poll
        self._isolation: dict[tuple[str, ...], dict] = {}

    def prepare(self, requires: tuple[str, ...]) -> None:
        pass

    def isolation(self, requires: tuple[str, ...]) -> dict:
        """Asked of a throw-away process once, because choosing the layers means trying them."""
        if requires not in self._isolation:
            run = subprocess.run(_command(requires, []), capture_output=True, env=_environment(), check=False)
            if run.returncode:
                raise CannotStart(run.stderr.decode(errors="replace").strip().rpartition("\n")[2])
            self._isolation[requires] = json.loads(run.stdout)
        return self._isolation[requires]

    def open(self, kind: Kind) -> PipeSession:
        pipes = self._pipes(kind.limits.output)
        try:
            process = SpawnedProcess(kind, pipes.theirs)
        except CannotStart:
            pipes.close()
            raise
        pipes.give_away()
        session = PipeSession(process, pipes, kind)
        session.begin()
        return session

    def close(self) -> None:
        pass

    def _pipes(self, output_limit: int):
        if self._poll:
            from practice.runner.pipes import Pipes

            return Pipes(output_limit)
        from practice.runner.threads import ThreadPipes

        return ThreadPipes(output_limit)


def _command(requires: tuple[str, ...], limits: list[str]) -> list[str]:
    packages = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
    return [sys.executable, "-I", "-S", SCRIPT, str(ROOT), ",".join(requires), packages, *limits]


def _popen(command: list[str], requests: int, answers: int, output: int) -> subprocess.Popen:
    try:
        return subprocess.Popen(
            command, stdin=requests, stdout=answers, stderr=output, env=_environment(), start_new_session=os.name == "posix"
        )
    except OSError as error:
        raise CannotStart(str(error)) from None


def _memory(usage) -> int:
    """Peak resident bytes by wait4. Linux counts what the parent held at the moment of the spawn as the child's: that is
    taken for not known."""
    import resource

    if sys.platform == "darwin":
        return usage.ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss else 0


def _environment() -> dict[str, str]:
    """Windows does not start a process without SystemRoot."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {**ENVIRONMENT, **kept}


def _kill_session(pid: int, alive: bool) -> None:
    """The process, and what it started and left in its session."""
    for kill in (os.kill, os.killpg) if alive else (os.killpg,):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
