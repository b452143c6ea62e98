"""The process of one check: puts on its layers, says so, and answers the judge until it is ended.

File descriptors: 0 nothing to read, 1 and 2 the learner's output, 3 requests, 4 answers, 5 (for a moment) Landlock rules.
"""

import io
import os
import sys
from collections.abc import Callable

from practice.kernel import wire
from practice.kernel.server import Server, serve
from practice.runner.handshake import EXIT_MEMORY, READY

REQUESTS, ANSWERS, RULES = 3, 4, 5


def run(files: tuple[int, ...], protect: Callable[[], None]) -> None:
    """Never returns.

    files: where requests come from, where answers go, where output goes, and perhaps the rules that `protect` needs.
    protect: puts on the layers; what it raises ends the process before it has read anything.
    """
    code = 1
    try:
        arrange_files(files)
        protect()
        os.write(ANSWERS, READY)
        code = answer()
    except Exception as error:
        os.write(2, f"{type(error).__name__}: {error}".encode(errors="replace"))
    finally:
        os._exit(code)


def rehearse() -> None:
    """Load and call something small before the fork, so that no child pays for what Python fills in on first use."""
    server, codec = Server("rehearsal"), wire.Codec(None, {})
    for request in (["load", b"def rehearse(value):\n    return value\n"], ["call", "rehearse", None, [[1, 0.5, "a", {"b": (2,)}]], None]):
        codec.decode(server.handle(codec.encode(wire.REQUEST, request), None))
    del sys.modules["rehearsal"]


def arrange_files(files: tuple[int, ...]) -> None:
    """Give the files their numbers and close everything else."""
    requests, answers, output, *rules = files
    nothing = os.open(os.devnull, os.O_RDONLY)
    high = [os.dup2(file, 100 + at) for at, file in enumerate((nothing, output, output, requests, answers, *rules))]
    for target, file in enumerate(high):
        os.dup2(file, target)
    os.closerange(len(high), 256)


def answer() -> int:
    """Serve requests until there are no more; the exit code."""
    sys.argv = sys.orig_argv = [""]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "r")), "utf-8")
    sys.stdout = sys.__stdout__ = _printing_to(1)
    sys.stderr = sys.__stderr__ = _printing_to(2)
    try:
        serve(Server(), read, write)
    except MemoryError:
        return EXIT_MEMORY
    except SystemExit:  # the judge is gone
        pass
    return 0


def read(size: int) -> bytes:
    """Exactly `size` bytes of requests, fewer when the judge is gone."""
    parts, missing = [], size
    while missing:
        part = os.read(REQUESTS, missing)
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def write(frame: bytes) -> None:
    """Send a whole frame, after what was printed before it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # the submission may have closed it, or put something else in its place
            pass
    view = memoryview(frame)
    while view:
        view = view[os.write(ANSWERS, view) :]


def _printing_to(file: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(io.FileIO(file, "w")), "utf-8", "backslashreplace", newline="\n")
