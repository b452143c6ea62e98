"""A seccomp filter: the system calls that pure computing, threads and an event loop need, and no others.

Everything else fails with EPERM, calls newer than this list with ENOSYS so that a C library falls back to what it used
before. A list of what is allowed, because a list of what is forbidden is out of date with the next kernel.
"""

import ctypes
import errno
import os
import struct

from practice.runner.syscall import prctl

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""Machine name: the audit constant of <linux/audit.h>, and the column of NUMBERS."""

# Name: (x86_64, aarch64). None where the architecture has no such call.
NUMBERS = {
    "read": (0, 63), "write": (1, 64), "futex": (202, 98), "poll": (7, None), "ppoll": (271, 73),
    "close": (3, 57), "readv": (19, 65), "writev": (20, 66), "lseek": (8, 62), "fstat": (5, 80), "stat": (4, None),
    "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "umask": (95, 166),
    "pread64": (17, 67), "fsync": (74, 82), "statfs": (137, 43), "fstatfs": (138, 44), "flock": (73, 32),
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "mremap": (25, 216), "madvise": (28, 233),
    "brk": (12, 214), "msync": (26, 227),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "restart_syscall": (219, 128),
    "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None), "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441),
    "eventfd": (284, None), "eventfd2": (290, 19), "pipe": (22, None), "pipe2": (293, 59), "dup": (32, 23),
    "dup2": (33, None), "dup3": (292, 24),
    "set_robust_list": (273, 99), "get_robust_list": (274, 100), "rseq": (334, 293), "set_tid_address": (218, 96),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "getcpu": (309, 168), "membarrier": (324, 283),
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148), "getresgid": (120, 150),
    "getgroups": (115, 158), "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156), "uname": (63, 160),
    "sysinfo": (99, 179), "getrandom": (318, 278),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "getrusage": (98, 165),
    "getrlimit": (97, 163), "setrlimit": (160, 164), "alarm": (37, None), "setitimer": (38, 103),
    "getitimer": (36, 102), "pause": (34, None), "timerfd_create": (283, 85), "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87),
    "sendto": (44, 206), "recvfrom": (45, 207), "sendmsg": (46, 211), "recvmsg": (47, 212), "shutdown": (48, 210),
    "getsockopt": (55, 209), "setsockopt": (54, 208), "getsockname": (51, 204), "getpeername": (52, 205),
    "exit": (60, 93), "exit_group": (231, 94),
    # Allowed with certain arguments only: see _guarded.
    "open": (2, None), "openat": (257, 56), "clone": (56, 220), "kill": (62, 129), "tkill": (200, 130),
    "tgkill": (234, 131), "prlimit64": (302, 261), "fcntl": (72, 25), "ioctl": (16, 29), "prctl": (157, 167),
    "socketpair": (53, 199),
}  # fmt: skip
NEWEST = 424
"""From here on all architectures number alike; an unlisted call is answered with ENOSYS."""
CLONE3 = 435
"""Its flags lie in memory, out of a filter's sight; with ENOSYS the C library falls back to clone, whose flags do not."""

CLONE_THREAD = 0x00010000
WRITING = 0o3 | 0o100 | 0o1000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC."""
FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030, 1032)
"""Duplicate, get and set flags, ask for a pipe's size. F_SETOWN and F_SETSIG would send signals to other processes."""
IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS and TIOCGWINSZ (is it a terminal), FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
PRCTL_OPTIONS = (15, 16)
"""Set and get a thread's name."""
STREAM_KINDS = (1, 1 | 0o2000000, 1 | 0o4000, 1 | 0o2004000)
"""SOCK_STREAM with and without CLOEXEC and NONBLOCK. A datagram socket could send to any address."""

LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW = struct.pack("<HBBI", RETURN, 0, 0, 0x7FFF0000)
OWN_PID = 0x5E1F0000
"""Stands for the process's own pid in a program; install() puts the pid in."""


def program(*, may_write: bool, machine: str = "") -> bytes:
    """The filter as BPF instructions, 8 bytes each.

    may_write: opening a file for writing is left to another layer (Landlock) to judge.
    Raises OSError where the machine is not in ARCHITECTURES.
    """
    machine = machine or os.uname().machine
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no seccomp table for {machine}")
    audit, column = ARCHITECTURES[machine]
    guarded = _guarded(may_write)
    code = _load(4) + _jump(JUMP_EQUAL, audit, 1, 0) + _refuse(errno.EPERM) + _load(0)
    for name, numbers in NUMBERS.items():
        if numbers[column] is not None:
            code += _when(numbers[column], guarded.get(name, ALLOW))
    if machine == "x86_64":  # the x32 calls have their own numbers, from 2**30 on
        code += _jump(JUMP_GREATER_EQUAL, 0x40000000, 0, 1) + _refuse(errno.EPERM)
    return code + _jump(JUMP_GREATER_EQUAL, NEWEST, 0, 1) + _refuse(errno.ENOSYS) + _refuse(errno.EPERM)


def install(code: bytes, pid: int) -> None:
    """Put this thread, and all threads it will start, under the filter for good; no_new_privs must be set."""
    code = code.replace(struct.pack("<I", OWN_PID), struct.pack("<I", pid))
    buffer = ctypes.create_string_buffer(code, len(code))
    prctl(22, 2, _FilterProgram(len(code) // 8, ctypes.addressof(buffer)))  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _guarded(may_write: bool) -> dict[str, bytes]:
    """What follows the name of a call that is allowed with certain arguments only."""
    own = _one_of(0, (OWN_PID,))
    guarded = {
        "clone": _argument(0) + _jump(JUMP_ANY_BIT, CLONE_THREAD, 1, 0) + _refuse(errno.EPERM) + ALLOW,
        "kill": own,
        "tkill": own,
        "tgkill": own,
        "prlimit64": _one_of(0, (0, OWN_PID)),
        "fcntl": _one_of(1, FCNTL_COMMANDS),
        "ioctl": _one_of(1, IOCTL_REQUESTS),
        "prctl": _one_of(0, PRCTL_OPTIONS),
        "socketpair": _argument(0) + _jump(JUMP_EQUAL, 1, 1, 0) + _refuse(errno.EPERM) + _one_of(1, STREAM_KINDS),
    }
    if not may_write:
        for name, flags in (("open", 1), ("openat", 2)):
            guarded[name] = _argument(flags) + _jump(JUMP_ANY_BIT, WRITING, 0, 1) + _refuse(errno.EPERM) + ALLOW
    return guarded


def _when(number: int, body: bytes) -> bytes:
    return _jump(JUMP_EQUAL, number, 0, len(body) // 8) + body


def _one_of(argument: int, values: tuple[int, ...]) -> bytes:
    return _argument(argument) + b"".join(_when(value, ALLOW) for value in values) + _refuse(errno.EPERM)


def _argument(index: int) -> bytes:
    """Load the low half of an argument: all that are looked at are C ints, or flags below 2**32."""
    return _load(16 + 8 * index)


def _load(offset: int) -> bytes:
    return struct.pack("<HBBI", LOAD, 0, 0, offset)


def _jump(kind: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("<HBBI", kind, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return struct.pack("<HBBI", RETURN, 0, 0, 0x00050000 | error)
