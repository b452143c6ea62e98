"""Run a script as an unprivileged user, from a place where that user can read the interpreter and this checkout.

As root, `python unprivileged.py FOLDER ROOT SCRIPT ARGUMENTS`: mounts the interpreter and ROOT under FOLDER (in a mount
namespace of its own, so that nothing remains), becomes user 65534 and runs FOLDER/python on FOLDER/checkout/SCRIPT.
Exit code 77: it cannot be done here. A `{checkout}` among the arguments becomes the checkout's new place.
"""

import ctypes
import os
import sys

CANNOT = 77
NOBODY = 65534


def main() -> None:
    folder, root, script, *arguments = sys.argv[1:]
    try:
        leave_mounts()
        interpreter = mount(sys.base_prefix, os.path.join(folder, "python"))
        checkout = mount(root, os.path.join(folder, "checkout"))
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(CANNOT)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.chdir("/")
    python = os.path.join(interpreter, os.path.relpath(os.path.realpath(sys.executable), os.path.realpath(sys.base_prefix)))
    arguments = [argument.replace("{checkout}", checkout) for argument in arguments]
    # A Python with its own shared library looks for it where it was built, which may be in a home this user cannot read.
    environment = {"HOME": "/nonexistent", "LD_LIBRARY_PATH": os.path.join(interpreter, "lib")}
    os.execve(python, [python, "-I", "-S", os.path.join(checkout, script), *arguments], environment)


def leave_mounts() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    check(libc.unshare(0x00020000))  # CLONE_NEWNS
    check(libc.mount(b"none", b"/", None, 0x4000 | 0x40000, None))  # MS_REC, MS_PRIVATE


def mount(source: str, target: str) -> str:
    os.makedirs(target, exist_ok=True)
    check(ctypes.CDLL(None, use_errno=True).mount(source.encode(), target.encode(), None, 0x1000 | 0x4000, None))  # MS_BIND, MS_REC
    return target


def check(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    main()
