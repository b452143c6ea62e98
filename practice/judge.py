#!/usr/bin/env python3
"""`python practice/judge.py 184`: repairs the import path, makes sure the packages are there, runs the command.

Written so that older Pythons can read it too and say which one is needed.
"""

import os
import sys

if sys.version_info < (3, 11):
    sys.stderr.write(
        "this needs Python 3.11 or newer, and %s is Python %d.%d\n\n"
        "hint: run it with a newer one, such as `python3.11 judge.py 184`\n" % ((sys.executable,) + tuple(sys.version_info[:2]))
    )
    sys.exit(2)

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(FOLDER)


def main(argv=None):
    """Runs one command line and leaves the interpreter with its exit code."""
    from practice.cli.needs import PACKAGES, missing

    if missing(PACKAGES):
        from practice.cli.setup import enter

        enter(PACKAGES, ROOT)
    from practice.cli.entry import run

    sys.exit(run(sys.argv[1:] if argv is None else argv))


if __name__ == "__main__":
    # The script's own folder is first on the path, where `sim` and `judge` would be other modules than they are.
    sys.path[:] = [ROOT] + [entry for entry in sys.path if os.path.abspath(entry or ".") not in (FOLDER, ROOT)]
    main()
