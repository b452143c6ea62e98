"""One command line from its words to its exit code.

    0  passed, or done
    1  not passed
    2  wrong usage
    3  the judge failed
"""

import errno
import sys
from collections.abc import Sequence
from typing import TextIO

from practice.cli.table import VERBS, nearest_verbs
from practice.kernel.errors import NotFound, PracticeError

PASSED, NOT_PASSED, WRONG_USAGE, JUDGE_FAILED = 0, 1, 2, 3
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
INTERRUPTED = 130
"""What shells report for a program ended by Ctrl-C."""


def run(argv: Sequence[str]) -> int:
    """Runs one command line and returns its exit code. Prints errors to stderr; never raises for what a user did."""
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character must not end the run.
            stream.reconfigure(errors="replace")
    try:
        code = _dispatch(list(argv))
        sys.stdout.flush()
        return code
    except NotFound as error:
        verbs = nearest_verbs(argv[0]) if argv and argv[0] not in VERBS else []
        note = f"\nhint: or did you mean the command {' or '.join(f'`{verb}`' for verb in verbs)}" if verbs else ""
        _say(f"{error}{note}")
        return WRONG_USAGE
    except PracticeError as error:
        _say(str(error))
        return WRONG_USAGE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _closed_pipe()
    except OSError as error:
        return _full_disk(error) if error.errno in FULL else _judge_failed()
    except Exception:
        return _judge_failed()


def _say(text: str) -> None:
    """An error to stderr; what the user typed may hold escape sequences."""
    from practice.cli.style import plain

    try:
        print(plain(text), file=sys.stderr)
    except OSError:  # nobody can be told
        _silence(sys.stderr)


def _dispatch(argv: list[str]) -> int:
    if _is_plain_judging(argv):
        from practice.cli.attempt import Request, attempt

        return attempt(Request(*argv))
    return _by_click(argv)


def _is_plain_judging(argv: list[str]) -> bool:
    """True for `184` and `184 file.py`: what is typed most is answered without loading click, which takes 40 ms."""
    import os

    if not 1 <= len(argv) <= 2 or argv[0] in VERBS or argv[0].startswith("-"):
        return False
    return (len(argv) == 1 or argv[1] == "-" or not argv[1].startswith("-")) and "_JUDGE_PY_COMPLETE" not in os.environ


def _by_click(argv: list[str]) -> int:
    import click

    from practice.cli.group import cli

    try:
        result = cli.main(args=argv, prog_name="judge.py", complete_var="_JUDGE_PY_COMPLETE", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return WRONG_USAGE
    except click.Abort:
        print(file=sys.stderr)
        return INTERRUPTED
    return result if isinstance(result, int) else PASSED


def _closed_pipe() -> int:
    """`judge.py list | head` is no error."""
    _silence(sys.stdout)
    return PASSED


def _silence(stream: TextIO) -> None:
    """Points it elsewhere: what it still holds the interpreter flushes at its end, and would make it exit with 120."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _full_disk(error: OSError) -> int:
    """What was to be printed goes nowhere, and what the interpreter would still flush neither."""
    where = error.filename or "standard output"
    _silence(sys.stdout)
    _say(f"{where} cannot be written: {error.strerror}\n\nhint: make room, then run the command again")
    return WRONG_USAGE


def _open_missing_streams() -> None:
    """Started with a closed standard stream (`>&-`), its number would be given to the next file that is opened, a
    submission's pipe for one; what is printed there goes nowhere."""
    import os

    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            file = os.open(os.devnull, os.O_RDWR)
            if file != number:
                os.dup2(file, number)
                os.close(file)
            if number:
                setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


def _judge_failed() -> int:
    import traceback

    traceback.print_exc()
    print("\nthe judge failed; this is our fault, not your work's\n\nhint: please report the lines above", file=sys.stderr)
    return JUDGE_FAILED
