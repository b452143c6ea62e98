"""Landlock: which files may be read, and that nothing else of the file system, TCP or other processes can be touched.

Probed by its system call, never by version: WSL2 and containers often hide the list of security modules.
"""

import ctypes
import os
import stat
from collections.abc import Iterable

from practice.runner.syscall import prctl, syscall

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The same numbers on every architecture."""
READ_FILE, READ_DIR, WRITE_FILE = 1 << 2, 1 << 3, 1 << 1
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""First ABI: all rights over files that it can take away. 2 adds moving, 3 truncating, 5 device ioctls."""
TCP_RIGHTS = 0b11
"""Binding and connecting, from ABI 4."""
SCOPES = 0b11
"""Abstract unix sockets and signals, from ABI 6."""


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("rights", ctypes.c_uint64), ("folder", ctypes.c_int32))


def abi() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    try:
        return max(0, syscall(CREATE_RULESET, ctypes.c_void_p(0), ctypes.c_size_t(0), 1))
    except OSError:
        return 0


def make_rules(version: int, readable: Iterable[str], writable: Iterable[str] = ()) -> int:
    """A file descriptor of rules: everything is forbidden but reading `readable` (whole folders or single files) and
    writing the devices in `writable`. Paths that do not exist are left out. Raises OSError."""
    files = FILE_RIGHTS[max(known for known in FILE_RIGHTS if known <= version)]
    rules = _Rules(files, TCP_RIGHTS if version >= 4 else 0, SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    descriptor = syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    for path in readable:
        _allow(descriptor, path, READ_FILE)
    for path in writable:
        _allow(descriptor, path, READ_FILE | WRITE_FILE)
    return descriptor


def restrict(descriptor: int) -> None:
    """Put this thread, and all threads it will start, under the rules for good; no_new_privs must be set."""
    syscall(RESTRICT_SELF, descriptor, 0)


def forbid_new_privileges() -> None:
    prctl(38, 1)  # PR_SET_NO_NEW_PRIVS


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if stat.S_ISDIR(os.fstat(folder).st_mode):
            rights |= READ_DIR
        beneath = _Beneath(rights, folder)
        syscall(ADD_RULE, rules, 1, ctypes.byref(beneath), 0)
    finally:
        os.close(folder)
