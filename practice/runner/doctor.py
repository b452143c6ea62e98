"""Tries each forbidden act in a submission's process and says what happened: no version string is believed."""

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from practice.kernel.exercise import Exercise, Limits
from practice.kernel.failure import SessionEnded
from practice.kernel.remote import Link, Remote, Submission
from practice.runner.backend import PipeBackend


@dataclass(frozen=True)
class Finding:
    """One act, and what came of it."""

    act: str
    """What was tried, in words: `read a file of this machine`."""
    holds: bool
    """True when a forbidden act was stopped, or an allowed one worked."""
    says: str
    """What stopped it, or what it got: `PermissionError: Operation not permitted`."""


ACTS = b'''
import asyncio, ctypes, os, socket, threading

def read(path):
    with open(path, "rb") as file:
        return len(file.read())

def listing(path):
    return len(os.listdir(path))

def write(path):
    with open(path, "w") as file:
        return file.write("here")

def connect(port):
    socket.create_connection(("127.0.0.1", port), 1).close()
    return "connected"

def send(port):
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port))

def unix(name):
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(name)
    return "connected"

def fork():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0)[1]

def execute():
    os.execv("/bin/true", ["true"])

def signal(pid):
    os.kill(pid, 0)
    return "may signal"

def trace(pid):
    if ctypes.CDLL(None, use_errno=True).ptrace(0x4206, pid, 0, 0):  # PTRACE_SEIZE: does not stop it
        raise OSError(ctypes.get_errno(), "ptrace")
    return "attached"

def allocate(size):
    return len(bytearray(size))

def loop():
    while True:
        pass

def flood():
    while True:
        print("x" * 1000)

def use_threads():
    done = []
    threads = [threading.Thread(target=done.append, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(done)

def use_event_loop():
    async def main():
        await asyncio.sleep(0)
        return await asyncio.to_thread(lambda: "ran")
    return asyncio.run(main())

def import_late():
    import colorsys, decimal, sqlite3, zoneinfo
    return colorsys.__name__
'''
LIMITS = Limits(seconds=0.3, memory=64 * 2**20, output=4096)


def examine(backend: PipeBackend | None = None) -> list[Finding]:
    """All findings; takes about a second."""
    with ExitStack() as stack:
        backend = backend or stack.enter_context(PipeBackend(speed=1.0))
        bait = stack.enter_context(_bait())
        forbidden = [_try(backend, act, call, expect_stop=True) for act, call in _forbidden(bait)]
        allowed = [_try(backend, act, call, expect_stop=False) for act, call in _ALLOWED]
    return [*forbidden, *allowed]


@dataclass(frozen=True)
class _Bait:
    """What is there to be reached: were it not, a failed attempt would prove nothing."""

    folder: Path
    tcp_port: int
    udp_port: int
    unix_name: str


@contextmanager
def _bait() -> Iterator[_Bait]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        os.chmod(folder, 0o777)
        Path(folder, "secret").write_text("secret")
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        unix_name = str(Path(folder, "door"))
        if hasattr(socket, "AF_UNIX"):
            unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(unix_name)
            unix.listen()
            os.chmod(unix_name, 0o777)
        yield _Bait(Path(folder), tcp.getsockname()[1], udp.getsockname()[1], unix_name)


def _forbidden(bait: _Bait) -> list[tuple[str, Callable[[Submission], object]]]:
    """Each act in words, and the call that tries it."""
    here = os.getpid()
    exercise_files = Path(__file__).resolve().parents[2]
    return [
        ("read a file of this machine", lambda sub: sub.read(str(bait.folder / "secret"))),
        ("read the exercises' folder", lambda sub: sub.listing(str(exercise_files))),
        ("read /etc/passwd", lambda sub: sub.read("/etc/passwd")),
        ("read the judge's environment", lambda sub: sub.read(f"/proc/{here}/environ")),
        ("write a file", lambda sub: sub.write(str(bait.folder / "written"))),
        ("connect by TCP", lambda sub: sub.connect(bait.tcp_port)),
        ("send by UDP", lambda sub: sub.send(bait.udp_port)),
        ("connect to a unix socket", lambda sub: sub.unix(bait.unix_name)),
        ("start a process", lambda sub: sub.fork()),
        ("become another program", lambda sub: sub.execute()),
        ("signal the judge", lambda sub: sub.signal(here)),
        ("trace the judge", lambda sub: sub.trace(here)),
        ("use more memory than the limit", lambda sub: sub.allocate(2 * LIMITS.memory)),
        ("compute for longer than the limit", lambda sub: sub.loop()),
        ("print more than the limit", lambda sub: sub.flood()),
    ]


_ALLOWED = [
    ("start threads", lambda sub: sub.use_threads()),
    ("run an event loop", lambda sub: sub.use_event_loop()),
    ("import a module late", lambda sub: sub.import_late()),
]


def _try(backend: PipeBackend, act: str, call: Callable[[Submission], object], *, expect_stop: bool) -> Finding:
    exercise = Exercise(0, "doctor", "Doctor", "estimation", "easy", 1, (), "", limits=LIMITS)
    session = backend.open(exercise, ACTS)
    got, stopped = "", ""
    try:
        link = Link(session.transport)
        fault = link.load(ACTS)
        if fault:
            return Finding(act, False, f"the probe does not load: {fault[0]}")
        got = f"it worked ({call(Submission(link))})"
    except (Exception, SessionEnded) as error:
        stopped = f"{_name(error)}: {error}"
    finally:
        usage = session.close()
    if usage.ended is not None:
        stopped = f"{usage.ended}: {usage.reason}"
    if act == "become another program" and "exit 0" in stopped:
        return Finding(act, False, "it worked (another program ran and ended)")
    return Finding(act, bool(stopped) is expect_stop, stopped or got)


def _name(error: BaseException) -> str:
    """The builtin class a remote exception stands for."""
    named = [base for base in type(error).__mro__ if base is not Remote and base.__module__ == "builtins"]
    return named[0].__name__
