"""A submission's process as an interpreter of its own, where forking is unsafe (macOS) or missing (Windows).

Run as `python -I -S cold.py ROOT REQUIRES PACKAGES SECONDS MEMORY`, with requests on standard input, answers on standard
output and what is printed on standard error. With only the first three arguments it prints as JSON which layers it would
put on.
"""

import os
import sys


def main() -> None:
    root, requires, packages = sys.argv[1], [name for name in sys.argv[2].split(",") if name], sys.argv[3]
    limits = [float(number) for number in sys.argv[4:]]
    sys.path.insert(0, root)
    from practice.runner import child, library

    plan = _plan(requires, root, packages, library)
    if not limits:
        return _print_plan(plan)
    sys.path.remove(root)
    _make_binary()
    rules = [] if plan is None or plan.rules is None else [plan.rules]
    child.run((0, 1, 2, *rules), lambda: _protect(plan, limits[0], int(limits[1])))


def _plan(requires: list[str], root: str, packages: str, library):
    """The layers to put on; None on Windows, which has none of them."""
    library.load_required(requires, root, packages.split(os.pathsep))
    if os.name != "posix":
        return None
    from practice.runner import harden

    os.chdir("/")
    return harden.choose_plan(requires, root)


def _protect(plan, seconds: float, memory: int) -> None:
    if plan is not None:
        from practice.runner.harden import put_on

        if plan.rules is not None:
            plan.rules = 5  # its number by now, see child.py
        put_on(plan, seconds, memory)


def _print_plan(plan) -> None:
    import json

    if plan is None:
        print(json.dumps({"level": 1, "layers": ["process"], "missing": ["limits: not on Windows", "cpu clock: not on Windows"]}))
    else:
        print(json.dumps({"level": plan.level, "layers": plan.layers, "missing": plan.missing}))


def _make_binary() -> None:
    """Windows would change line ends on the way."""
    if os.name == "nt":
        import msvcrt

        for number in (0, 1, 2):
            msvcrt.setmode(number, os.O_BINARY)


if __name__ == "__main__":
    main()
