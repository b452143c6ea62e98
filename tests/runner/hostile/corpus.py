"""Judges rows of the corpus, and looks for what they left or reached outside."""

import os
import socket
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from practice.kernel import judging
from practice.kernel.verdict import Status, Verdict
from practice.runner.harden import FIRST_UID
from tests.runner.hostile import own, table
from tests.runner.hostile.row import GOOD, Row, exercise_of

SHARED = ("/", "/tmp", "/var/tmp", "/dev/shm")
ROWS = (*table.ROWS, *own.ROWS)


@dataclass(frozen=True)
class Outcome:
    """What judging one row came to."""

    row: Row
    verdict: Verdict | None
    """None when the judge failed."""
    failure: str
    """How the judge failed, or ""."""
    escapes: tuple[str, ...]
    """What was left behind or reached outside."""
    seconds: float
    """Wall time."""

    @property
    def is_right(self) -> bool:
        return self.verdict is not None and self.verdict.status in self.row.expected and not self.escapes

    @property
    def is_undeserved(self) -> bool:
        return self.verdict is not None and self.verdict.status is Status.ACCEPTED and Status.ACCEPTED not in self.row.expected


class Surroundings:
    """Something to reach outside: a folder with a secret, sockets that listen; and a look at whether it was."""

    def __enter__(self) -> "Surroundings":
        with ExitStack() as stack:
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self._tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            self._udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            self._unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            self._datagrams = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            self._udp.bind(("127.0.0.1", 0))
            self._name = f"hostile-{os.getpid()}"
            self._unix.bind(f"\0{self._name}")
            self._datagrams.bind(f"\0{self._name}-datagrams")
            self._unix.listen()
            for listening in (self._tcp, self._udp, self._unix, self._datagrams):
                listening.setblocking(False)
            os.chmod(self.folder, 0o777)
            secret = self.folder / "secret"
            secret.write_text("secret")
            secret.chmod(0o666)
            (self.folder / "link").symlink_to(secret)
            self._files = self._listing()
            self._state = self._secret_state()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def fill(self, source: bytes) -> bytes:
        """The source with the places it may attack put in."""
        places = {
            "{outside}": self.folder,
            "{tcp}": self._tcp.getsockname()[1],
            "{udp}": self._udp.getsockname()[1],
            "{abstract}": self._name,
            "{judge}": os.getpid(),
        }
        for mark, place in places.items():
            source = source.replace(mark.encode(), str(place).encode())
        return source

    def escapes(self) -> tuple[str, ...]:
        """What is there now and should not be, in words."""
        found = []
        found += [f"file {path}" for path in sorted(self._listing() - self._files)]
        if self._secret_state() != self._state:
            found.append("the secret was changed or removed")
        for name in ("_tcp", "_unix"):
            found += _reached(f"{name[1:]} connection", getattr(self, name).accept)
        for name in ("_udp", "_datagrams"):
            found += _reached(f"{name[1:]} packet", lambda name=name: getattr(self, name).recv(10))
        return (*found, *left_processes())

    def _listing(self) -> set[str]:
        """What lies in the folder and here; in places that other programs use, what belongs to a submission's user."""
        own = {str(path) for folder in (self.folder, Path.cwd()) for path in folder.iterdir()}
        return own | {entry.path for folder in SHARED if os.path.isdir(folder) for entry in os.scandir(folder) if _is_theirs(entry)}

    def _secret_state(self) -> tuple | None:
        try:
            about = os.stat(self.folder / "secret")
        except OSError:
            return None
        return about.st_mode, about.st_mtime_ns, about.st_size


def judge_row(row: Row, backend, surroundings: Surroundings) -> Outcome:
    """Judge it, as a learner's submission would be, then look around."""
    source = surroundings.fill(row.source)
    began = perf_counter()
    verdict, failure = None, ""
    try:
        verdict = judging.judge(exercise_of(row), source, backend, seed=7)
    except BaseException as error:
        failure = f"{type(error).__name__}: {error}"
    seconds = perf_counter() - began
    return Outcome(row, verdict, failure, surroundings.escapes(), seconds)


def is_alive(backend) -> bool:
    """True when the judge still accepts the right answer."""
    good = Row("good", frozenset({Status.ACCEPTED}), GOOD.encode())
    return judging.judge(exercise_of(good), good.source, backend, seed=7).status is Status.ACCEPTED


def left_processes(allowed: int = 6) -> tuple[str, ...]:
    """Descendants of this process beyond fork servers and processes that wait, as words.

    A fork server and the one process it keeps ready: at most two for each of three sets of modules.
    """
    parents = {pid: parent for pid, parent in _processes()}
    ours = [pid for pid in parents if _descends(pid, parents)]
    return (f"{len(ours)} processes",) if len(ours) > allowed else ()


def _descends(pid: int, parents: dict[int, int]) -> bool:
    seen = 0
    while pid in parents and seen < 50:
        pid, seen = parents[pid], seen + 1
        if pid == os.getpid():
            return True
    return False


def _processes() -> list[tuple[int, int]]:
    """(pid, parent) of all processes; nothing where there is no /proc."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            try:
                after_name = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            found.append((int(name), int(after_name[1])))
    return found


def _is_theirs(entry: os.DirEntry) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_uid >= FIRST_UID
    except OSError:  # gone meanwhile
        return False


def _reached(what: str, look) -> list[str]:
    try:
        look()
    except BlockingIOError:
        return []
    return [f"a {what} arrived"]
