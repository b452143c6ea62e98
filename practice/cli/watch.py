"""`judge.py watch 184`: a verdict each time the file is saved."""

import sys
import time
from pathlib import Path

import click

from practice.catalog.read import read_exercise
from practice.cli.argument import exercise_argument
from practice.cli.attempt import Request, judge, open_backend, read_source, remember, tell
from practice.cli.checkout import Checkout, shown
from practice.cli.start import make_answer
from practice.kernel.errors import PracticeError

INTERVAL = 0.2
"""Seconds between two looks at the file; a look costs microseconds."""


@click.command("watch")
@exercise_argument
@click.option("--file", "-f", metavar="FILE", default="", help="Watch this file instead.")
@click.option("--seed", type=int, help="Draw the same randomised checks each time.")
def command(exercise: str, file: str, seed: int | None) -> int:
    """Judge your answer each time you save it. Ctrl-C ends it.

    Example: judge.py watch 184
    """
    checkout = Checkout.here()
    entry = checkout.catalog.find(exercise)
    path = Path(file) if file else checkout.answer(entry)
    if file == "-" or (file and not path.is_file()):
        raise PracticeError(f"{file} is not a file that can be watched", "name one that exists")
    if not file and make_answer(path, read_exercise(entry.folder).starter):
        print(f"{shown(path)} was made for you", file=sys.stderr)
    request = Request(exercise, file, seed=seed)
    with open_backend(entry.requires) as backend:
        try:
            seen = None
            while True:
                stamp = _stamp(path)
                if stamp is not None and stamp != seen:
                    seen = stamp
                    # Read anew each time: an author may be changing the checks.
                    whole, source = read_exercise(entry.folder), read_source(file, path)
                    verdict = judge(request, whole, source, backend)
                    print(f"--- {time.strftime('%H:%M:%S')}", file=sys.stderr)
                    tell(request, checkout, whole, source, verdict, remember(checkout, source, whole, verdict))
                    print(f"\nwatching {shown(path)}; Ctrl-C ends it", file=sys.stderr, flush=True)
                    sys.stdout.flush()
                time.sleep(INTERVAL)
        except KeyboardInterrupt:
            print(file=sys.stderr)
            return 0


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """What changes when the file is saved; None while an editor has moved it away to write a new one."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino
