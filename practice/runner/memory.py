"""How much memory another process holds, for systems whose kernel does not enforce a limit (macOS ignores RLIMIT_AS)."""

import sys

LOOK_EVERY = 0.05
"""Seconds between two looks."""
TASK_INFO, TASK_INFO_BYTES = 4, 96
"""PROC_PIDTASKINFO of macOS's <sys/proc_info.h>: virtual and resident bytes are its first two 64-bit fields."""


def is_enforced() -> bool:
    """True where the kernel refuses memory over RLIMIT_AS."""
    return sys.platform == "linux"


def resident_bytes(pid: int) -> int:
    """Bytes of another process that lie in memory, 0 where the system does not say."""
    try:
        if sys.platform == "linux":
            with open(f"/proc/{pid}/statm", "rb") as file:
                return int(file.read().split()[1]) * _page_bytes()
        if sys.platform == "darwin":
            return _resident_on_macos(pid)
    except (OSError, IndexError, AttributeError):
        pass
    return 0


def peak_bytes(pid: int) -> int:
    """The most that a living process has held since it began its program, 0 where the system does not say."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(b"VmHWM:")), 0)
    except OSError:
        return 0


def _page_bytes() -> int:
    import resource

    return resource.getpagesize()


def _resident_on_macos(pid: int) -> int:
    import ctypes  # 2 ms that no other system needs

    fields = (ctypes.c_uint64 * (TASK_INFO_BYTES // 8))()
    library = ctypes.CDLL("/usr/lib/libproc.dylib")
    filled = library.proc_pidinfo(pid, TASK_INFO, ctypes.c_uint64(0), ctypes.byref(fields), TASK_INFO_BYTES)
    return fields[1] if filled == TASK_INFO_BYTES else 0
