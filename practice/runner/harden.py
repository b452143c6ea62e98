"""The layers around a submission's process: chosen and tried once by the fork server, put on by every child of its own.

    limits     resource limits and a session of its own                              POSIX
    dumpable   no one of the same user can read or trace the process                 Linux
    landlock   no file but the allowed modules, no TCP, no signals to others         Linux 5.13 and newer
    seccomp    no system call but those of computing, threads and an event loop      Linux on x86_64 and aarch64
    uid        a user of its own, without capabilities; where the judge is root      root on Linux

A plan is never weaker in a child than it was when it was tried: a layer that fails there ends the child.
"""

import ctypes
import os
import resource
import sys
from collections.abc import Sequence

from practice.runner import landlock, seccomp
from practice.runner.library import DEVICES, readable_paths
from practice.runner.syscall import checked, libc, prctl

FIRST_UID = 1 << 30
"""Users for submissions lie from here on, one per fork server (FIRST_UID + its pid), so that none is shared."""
READ_EVERYTHING = 1 << 2
"""CAP_DAC_READ_SEARCH. Kept where the interpreter lies in a folder closed to other users (root's home), and only under
Landlock and seccomp: the one says what may be read whatever the capabilities, the other that nothing else may be done with it."""
THREADS = 64
"""More threads and processes than this of one submission are refused, where it has a user of its own."""
SPARE_THREADS = 256
"""Where it shares the user's limit, which counts all of the user's, as many as the machine runs and this many more."""
OPEN_FILES = 64
STACKS = 128 * 2**20
"""Address space beyond the memory limit: a thread reserves 8 MiB for its stack and hardly uses them."""


class Plan:
    """Which layers a child puts on."""

    def __init__(self, rules: int | None, filter: bytes, uid: int | None, keep: int, missing: Sequence[str]) -> None:
        self.rules = rules
        """Descriptor of the Landlock rules, or None."""
        self.filter = filter
        """The seccomp program, or b""."""
        self.uid = uid
        """The user to become, or None."""
        self.keep = keep
        """The capabilities kept: 0 or READ_EVERYTHING."""
        self.missing = list(missing)
        """`layer: why it is not there`, one each."""

    @property
    def layers(self) -> list[str]:
        named = {"dumpable": sys.platform == "linux", "landlock": self.rules is not None, "seccomp": bool(self.filter),
                 "uid": self.uid is not None}  # fmt: skip
        return ["limits", *(name for name, there in named.items() if there)]

    @property
    def level(self) -> int:
        """1 limits, 3 kernel, 4 kernel and a user of its own."""
        kernel = self.rules is not None and bool(self.filter)
        return 4 if kernel and self.uid is not None else 3 if kernel else 1


def choose_plan(requires: Sequence[str], root: str) -> Plan:
    """The strongest plan under which a child can still read the modules it may import, found by trying."""
    missing: list[str] = []
    if sys.platform != "linux":
        return Plan(None, b"", None, 0, [f"{name}: only on Linux" for name in ("landlock", "seccomp")])
    rules = _rules(requires, root, missing)
    filter = _filter(rules is not None, missing)
    fault = ""
    for uid, keep in _identities(rules is not None and bool(filter), missing):
        plan = Plan(rules, filter, uid, keep, [*missing, f"uid: {fault}"] if fault and uid is None else missing)
        fault = _fault(plan)
        if not fault:
            return plan
    return _weaker_plan(rules, [*missing, fault])


def put_on(plan: Plan, seconds: float, memory: int) -> None:
    """Put the layers of `plan` on this process; there is no way back. Raises OSError when one cannot be had.

    seconds: CPU seconds after which the kernel ends the process, if nobody else did before.
    memory: bytes it may use; the judge counts resident bytes afterwards, the kernel refuses address space far beyond.
    """
    _set_limits(plan, seconds, memory)
    if sys.platform != "linux":
        return
    _become(plan.uid, plan.keep)
    prctl(4, 0)  # PR_SET_DUMPABLE
    prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL; a change of user has cleared any earlier one
    landlock.forbid_new_privileges()
    if plan.rules is not None:
        landlock.restrict(plan.rules)
        os.close(plan.rules)
    if plan.filter:
        seccomp.install(plan.filter, os.getpid())


def _rules(requires: Sequence[str], root: str, missing: list[str]) -> int | None:
    version = landlock.abi()
    if not version:
        missing.append("landlock: the kernel does not offer it")
        return None
    if version < 6:
        missing.append(f"landlock {6 if version >= 4 else 4}: the kernel offers {version}")
    return landlock.make_rules(version, readable_paths(requires, root), DEVICES)


def _filter(may_write: bool, missing: list[str]) -> bytes:
    try:
        return seccomp.program(may_write=may_write)
    except OSError as error:
        missing.append(f"seccomp: {error.strerror}")
        return b""


def _identities(is_kernel_level: bool, missing: list[str]) -> list[tuple[int | None, int]]:
    """(user, capabilities kept) to try, the most confined first."""
    if os.geteuid() != 0:
        missing.append("uid: the judge does not run as root")
        return [(None, 0)]
    return [*((FIRST_UID + os.getpid(), keep) for keep in _kept(is_kernel_level)), (None, 0)]


def _kept(is_kernel_level: bool) -> tuple[int, ...]:
    return (0, READ_EVERYTHING) if is_kernel_level else (0,)


def _weaker_plan(rules: int | None, missing: list[str]) -> Plan:
    """What remains when the full plan does not work: either kernel layer alone, or the limits.

    Without Landlock the filter itself forbids writing.
    """
    filter = _filter(may_write=False, missing=[])
    for plan in (Plan(rules, b"", None, 0, missing), Plan(None, filter, None, 0, missing)):
        if not _fault(plan):
            return plan
    return Plan(None, b"", None, 0, missing)


def _fault(plan: Plan) -> str:
    """Why a throw-away child cannot work under `plan`, or ""."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            put_on(plan, 5.0, 2**30)
            _read_modules()
            os.write(writer, b"works")
        except BaseException as error:
            os.write(writer, str(error).encode(errors="replace")[:200] or b"failed")
        finally:
            os._exit(0)
    os.close(writer)
    said = os.read(reader, 256).decode()
    os.close(reader)
    os.waitpid(child, 0)
    return "" if said == "works" else said or "the process was ended"


def _read_modules() -> None:
    """Read what a lazy import would: the standard library's folder, a module of it, and an extension's folder."""
    source = os.__file__
    os.listdir(os.path.dirname(source))
    with open(source, "rb") as file:
        file.read(1)
    for folder in sys.path:
        if folder.endswith("lib-dynload"):
            os.listdir(folder)


def _set_limits(plan: Plan, seconds: float, memory: int) -> None:
    limits = {
        resource.RLIMIT_CPU: (int(seconds) + 1, int(seconds) + 2),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
    }
    if sys.platform == "linux":
        room = _mapped_bytes() + memory + STACKS
        limits |= {resource.RLIMIT_AS: (room, room), resource.RLIMIT_MEMLOCK: (0, 0), resource.RLIMIT_MSGQUEUE: (0, 0)}
        count = THREADS if plan.uid is not None else _running_threads() + SPARE_THREADS
        limits[resource.RLIMIT_NPROC] = (count, count)
    for kind, (soft, hard) in limits.items():
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def _mapped_bytes() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # no /proc: more than an interpreter with numpy maps
        return 2**30


def _running_threads() -> int:
    """All threads of the machine: no fewer than this user's, and one short read."""
    try:
        with open("/proc/loadavg", "rb") as file:
            return int(file.read().split()[3].split(b"/")[1])
    except OSError:
        return 4096


def _become(uid: int | None, keep: int) -> None:
    """Another user without capabilities; without `uid` the same one, equally without."""
    if uid is not None:
        if keep:
            prctl(8, 1)  # PR_SET_KEEPCAPS
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)(keep, keep, 0, 0, 0, 0)
    checked(libc().capset(ctypes.byref(header), ctypes.byref(sets)), "capset")
