#!/usr/bin/env python3
"""What judging costs: from cold, per call, per process, per submission, and what hostile submissions get. One run.

    python benchmarks/judge.py [--only cold,calls,check,hostile] [--rounds 20]

Programs are run by this interpreter itself, not by a version manager's shim. Times are wall times; medians.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from practice.kernel.exercise import Exercise, Limits
from practice.kernel.remote import Link, Submission
from practice.runner.backend import PipeBackend

ECHO = b"class Box:\n    n = 1\n    def get(self, x): return x\ndef same(value): return value\ndef size(value): return len(value)\n"
MEGABYTE = 131_072
"""float64 elements: 1 MiB."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="cold,calls,check,hostile")
    parser.add_argument("--rounds", type=int, default=20, help="cold starts of each program")
    arguments = parser.parse_args()
    parts = {
        "cold": lambda: measure_cold(arguments.rounds),
        "calls": measure_calls,
        "check": measure_check,
        "hostile": measure_hostile,
    }
    print(f"python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name in arguments.only.split(","):
        parts[name]()


def measure_cold(rounds: int) -> None:
    """`judge.py 184` on a right answer beside pytest on one trivial test and bare Python, interleaved."""
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder, "test_one.py")
        test.write_text("def test_one():\n    assert 1 + 1 == 2\n")
        solution = next(ROOT.glob("exercises/184-*/solution.py"))
        commands = {
            "judge.py 184, right answer": [sys.executable, str(ROOT / "practice/judge.py"), "184", str(solution)],
            "pytest, one trivial test": [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
            "python -c pass": [sys.executable, "-c", "pass"],
        }
        times = _interleaved(commands, rounds, folder)
    pytest_median = statistics.median(times["pytest, one trivial test"])
    print(f"\nfrom cold, median of {rounds}, seconds (fastest to slowest)")
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"  {name:32} {median:.3f}  ({min(seconds):.3f} to {max(seconds):.3f})  {median / pytest_median:.2f} of pytest")


def _interleaved(commands: dict[str, list[str]], rounds: int, folder: str) -> dict[str, list[float]]:
    """Wall seconds of each command, one after the other in turn, so that a busy moment meets all of them."""
    environment = {**os.environ, "PRACTICE_NO_SETUP": "1", "PRACTICE_ANSWERS": folder}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            began = time.perf_counter()
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
            if run.returncode:
                raise SystemExit(f"{name} failed:\n{run.stdout.decode()}{run.stderr.decode()}")
            if turn:  # the first one fills the file cache
                times[name].append(time.perf_counter() - began)
    return times


def measure_calls() -> None:
    """Proxied calls, fresh processes, and a 1 MB array there and back."""
    import numpy

    array = numpy.arange(MEGABYTE, dtype=float)
    with PipeBackend(("numpy",)) as backend:
        print(f"\nover the pipe, medians (isolation level {backend.isolation()['level']}: {', '.join(backend.isolation()['layers'])})")
        session, sub = _open(backend, ("numpy",))
        box = sub.Box()
        rows: list[tuple[str, Callable[[], object], int]] = [
            ("call with one int", lambda: sub.same(1), 2000),
            ("method with one int", lambda: box.get(1), 2000),
            ("list of 10 ints there and back", lambda: sub.same([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 1000),
            ("1 MB array there, an int back", lambda: sub.size(array), 100),
            ("1 MB array there and back", lambda: sub.same(array), 100),
        ]
        for name, call, times in rows:
            _print_time(name, call, times)
        session.close()
        for requires in ((), ("numpy",)):
            name = f"fresh process, load, call, end{' (numpy)' if requires else ''}"
            _print_time(name, lambda requires=requires: _once(backend, requires), 100)
    with PipeBackend(fork=False) as backend:
        _print_time("the same with a new interpreter", lambda: _once(backend, ()), 10)


def _open(backend: PipeBackend, requires: tuple[str, ...]):
    limits = Limits(seconds=30.0, memory=2**30)
    session = backend.open(Exercise(1, "echo", "Echo", "estimation", "easy", 1, (), "", requires=requires, limits=limits), ECHO)
    link = Link(session.transport)
    if link.load(ECHO):
        raise SystemExit("the echo submission does not load")
    return session, Submission(link)


def _once(backend: PipeBackend, requires: tuple[str, ...]) -> None:
    session, sub = _open(backend, requires)
    sub.same(1)
    session.close()


def _print_time(name: str, call: Callable[[], object], times: int) -> None:
    call()
    took = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    print(f"  {name:38} {_duration(statistics.median(took))}   fastest {_duration(min(took))}")


def _duration(seconds: float) -> str:
    return f"{seconds * 1e6:6.0f} us" if seconds < 1e-3 else f"{seconds * 1e3:6.2f} ms"


def measure_check() -> None:
    """`judge.py check` over all exercises: submissions (solutions, starters, known-wrong and other right answers) per second."""
    folders = [folder for folder in (ROOT / "exercises").iterdir() if (folder / "exercise.toml").exists()]
    files = [file for folder in folders for file in folder.rglob("*.py") if file.name != "checks.py"]
    began = time.perf_counter()
    run = subprocess.run([sys.executable, str(ROOT / "practice/judge.py"), "check"], capture_output=True, cwd=ROOT, check=False)
    seconds = time.perf_counter() - began
    print(f"\njudge.py check: {len(folders)} exercises, {len(files)} submissions in {seconds:.1f} s,", end=" ")
    print(f"{len(files) / seconds:.0f} submissions per second (exit code {run.returncode})")


def measure_hostile() -> None:
    """The corpus of tests/runner/hostile: right verdicts, undeserved acceptances, escapes, failures of the judge."""
    from tests.runner.hostile import corpus

    outcomes = []
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, PipeBackend(speed=1.0) as backend:
        os.chdir(folder)
        isolation = backend.isolation()
        with corpus.Surroundings() as surroundings:
            rows = [row for row in corpus.ROWS if row.needs <= set(isolation["layers"])]
            outcomes = [corpus.judge_row(row, backend, surroundings) for row in rows]
        os.chdir(here)
    print(f"\nhostile submissions at isolation level {isolation['level']} ({', '.join(isolation['layers'])})")
    print(f"  right verdicts          {sum(o.is_right for o in outcomes)} of {len(outcomes)}, {len(corpus.ROWS) - len(rows)} not run")
    print(f"  undeserved acceptances  {sum(o.is_undeserved for o in outcomes)}")
    print(f"  escapes                 {sum(bool(o.escapes) for o in outcomes)}")
    print(f"  failures of the judge   {sum(bool(o.failure) for o in outcomes)}")
    print(f"  seconds                 {sum(o.seconds for o in outcomes):.0f}")


if __name__ == "__main__":
    main()
