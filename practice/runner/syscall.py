"""The C library by ctypes, with errors as OSError: what the standard library does not wrap."""

import ctypes
import os


def libc() -> ctypes.CDLL:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """`result` as it is, unless it is -1: then OSError with errno and the name of the call."""
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def prctl(option: int, argument: int = 0, extra: object = 0) -> int:
    """prctl(2) with at most two arguments; raises OSError."""
    long = ctypes.c_ulong
    second = extra if isinstance(extra, ctypes.Array | ctypes.Structure) else long(extra)
    if not isinstance(second, long):
        second = ctypes.byref(second)
    return checked(libc().prctl(option, long(argument), second, long(0), long(0)), "prctl")


def syscall(number: int, *arguments: object) -> int:
    """syscall(2): integers and ctypes pointers as arguments; raises OSError."""
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return checked(libc().syscall(ctypes.c_long(number), *words), f"syscall {number}")
