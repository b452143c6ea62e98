"""How this program was called, so that the commands it suggests can be typed as they stand."""

import os
import sys


def typed(words: str = "") -> str:
    """A command of this program as it was called: `python judge.py hint 184`."""
    return f"{called()} {words}".strip()


def called() -> str:
    """`python judge.py`, `python3 practice/judge.py`, `./judge.py` or `practice`: whatever started this process."""
    # The first run re-executes itself in its private environment and hands on what was typed.
    handed = os.environ.get("PRACTICE_CALLED")
    if handed:
        return handed
    script = os.path.basename(sys.argv[0])
    if script != "judge.py":
        return script.removesuffix(".exe") or "judge.py"
    python = os.path.basename(sys.orig_argv[0]).removesuffix(".exe") if sys.orig_argv else ""
    # Started by its shebang line, the first word is Python's full path; then the script was typed alone.
    if not python.startswith("python") or (os.path.isabs(sys.orig_argv[0]) and sys.argv[0].startswith(("./", ".\\"))):
        return sys.argv[0]
    return f"{python} {sys.argv[0]}"
