"""One attempt: find the exercise, judge the submission, remember it, tell its learner."""

import os
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from practice.catalog.find import Entry
from practice.catalog.read import read_exercise
from practice.cli.calling import typed
from practice.cli.checkout import Checkout, shown
from practice.cli.style import Style
from practice.kernel.errors import NotFound, PracticeError
from practice.kernel.exercise import Exercise
from practice.kernel.verdict import Status, Verdict

if TYPE_CHECKING:
    from practice.progress.standing import Standing
    from practice.runner.backend import PipeBackend

LARGEST = 2**20
"""Bytes of the largest submission that is read."""


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    exercise: str
    file: str = ""
    """"" for the learner's own file, "-" for standard input."""
    only: tuple[str, ...] = ()
    seed: int | None = None
    examples_only: bool = False
    as_json: bool = False
    junit: Path | None = None
    github: bool = False

    @property
    def for_programs(self) -> bool:
        """True when a program reads the result, so nothing else may be printed or asked."""
        return self.as_json or self.github or self.junit is not None

    @property
    def partial(self) -> bool:
        return self.examples_only or bool(self.only)


@dataclass(frozen=True)
class Source:
    """A submission's bytes and where they are from."""

    data: bytes
    path: Path | None
    """None for standard input."""


def attempt(request: Request, checkout: Checkout | None = None) -> int:
    """Carries out one request and returns the exit code. The first one makes the learner's file and prints the question."""
    checkout = checkout or Checkout.here()
    entry = checkout.catalog.find(request.exercise)
    own = checkout.answer(entry)
    if not request.file and not own.exists() and not request.for_programs:
        from practice.cli.start import start

        return start(checkout, entry)
    # Started first of all: it gets ready in the background while the exercise is read.
    with open_backend(entry.requires) as backend:
        source = read_source(request.file, own)
        exercise = read_exercise(entry.folder)
        if not request.for_programs and source.path == own and is_starter(source.data, exercise):
            return _still_the_starter(entry, exercise, own)
        _load_the_rest()
        verdict = judge(request, exercise, source, backend)
    standing = None if request.partial else remember(checkout, source, exercise, verdict)
    tell(request, checkout, exercise, source, verdict, standing)
    return exit_code([verdict])


def _load_the_rest() -> None:
    """Import what is needed after the verdict while the fork server gets ready, when there is nothing else to do."""
    for name in ("practice.kernel.judging", "practice.cli.report", "practice.progress.store"):
        import_module(name)


def open_backend(requires: tuple[str, ...] = ()) -> "PipeBackend":
    """The backend that judges on this machine, getting ready for an exercise that requires these."""
    from practice.runner.backend import PipeBackend

    return PipeBackend(requires)


def judge(request: Request, exercise: Exercise, source: Source, backend: "PipeBackend") -> Verdict:
    """The verdict on one source. Raises NotFound when a check named by --only is not one of the exercise's."""
    from practice.kernel import judging

    only = _checks_named(request.only, exercise) if request.only else ()
    return judging.judge(exercise, source.data, backend, seed=request.seed, only=only, examples_only=request.examples_only)


def read_source(file: str, own: Path) -> Source:
    """The submission: a file, standard input for "-", the learner's own file for "".

    Raises PracticeError when there is none or it is far too large.
    """
    if file == "-":
        if sys.stdin is None:
            raise PracticeError("there is no standard input to read", "name a file")
        return Source(_bounded(sys.stdin.buffer.read(LARGEST + 1), "standard input"), None)
    path = Path(file) if file else own
    try:
        with path.open("rb") as stream:
            return Source(_bounded(stream.read(LARGEST + 1), shown(path)), path)
    except FileNotFoundError:
        hint = "" if file else f"`{typed('start ' + own.stem)}` makes it from the starter"
        raise PracticeError(f"{shown(path)} does not exist", hint or "name a file that does, or `-` for standard input") from None
    except OSError as error:
        raise PracticeError(f"{shown(path)} cannot be read: {error.strerror}", "name a file of Python, or `-` for standard input") from None


def _bounded(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST:
        raise PracticeError(f"{name} has more than {LARGEST} bytes, which is more than a submission may have", "name the file that holds your answer")
    return data


def is_starter(data: bytes, exercise: Exercise) -> bool:
    """True when nothing was written yet."""
    return data.replace(b"\r\n", b"\n").strip() == exercise.starter.encode().replace(b"\r\n", b"\n").strip()


def remember(checkout: Checkout, source: Source, exercise: Exercise, verdict: Verdict) -> "Standing | None":
    """Records the attempt and returns where the learner now stands; None when nothing is kept.

    The exercise's own files are an author's work, not an attempt. A log that cannot be written costs a line, never the verdict.
    """
    if verdict.status is Status.JUDGE_ERROR or (source.path and checkout.catalog.folder in source.path.resolve().parents):
        return None
    try:
        with checkout.progress as progress:
            progress.record(
                "attempt",
                exercise.number,
                status=verdict.status.value,
                passed=verdict.passed,
                total=len(verdict.checks),
                seconds=round(verdict.seconds, 6),
                seed=verdict.seed,
            )
            return progress.standing(exercise.number)
    except PracticeError as error:
        print(f"not remembered: {error}\n", file=sys.stderr)
        return None


def tell(request: Request, checkout: Checkout, exercise: Exercise, source: Source, verdict: Verdict, standing: "Standing | None") -> None:
    """Prints the verdict in the form that was asked for."""
    publish(request, [(verdict, source)])
    if request.as_json:
        import json

        from practice.kernel.verdict import to_json

        print(json.dumps(to_json(verdict), indent=2))
        return
    from practice.cli.report import Around, report

    follows = _follows(checkout, exercise, standing) if verdict.status is Status.ACCEPTED and not request.partial else None
    style = Style.of(sys.stdout)
    print("\n".join(report(verdict, exercise, style, Around(typed(), request.file, standing, follows, request.partial))))


def publish(request: Request, judged: list[tuple[Verdict, Source]]) -> None:
    """Writes what CI systems read: the JUnit file, GitHub's annotations and summary."""
    if request.junit is not None:
        from practice.cli.junit import junit

        Checkout.here().spare(request.junit)
        try:
            request.junit.parent.mkdir(parents=True, exist_ok=True)
            request.junit.write_text(junit([verdict for verdict, _ in judged]), "utf-8")
        except OSError as error:
            raise PracticeError(f"{request.junit} cannot be written: {error.strerror}") from None
    if request.github:
        from practice.cli.github import annotations, summary

        for verdict, source in judged:
            stream = sys.stderr if request.as_json else sys.stdout
            print("\n".join(annotations(verdict, shown(source.path) if source.path else "-")), file=stream)
        target = os.environ.get("GITHUB_STEP_SUMMARY")
        if target:
            try:
                with open(target, "a", encoding="utf-8") as file:
                    file.write(summary([verdict for verdict, _ in judged]))
            except OSError as error:
                raise PracticeError(f"{target}, named by GITHUB_STEP_SUMMARY, cannot be written: {error.strerror}") from None


def exit_code(verdicts: list[Verdict]) -> int:
    """0 when all passed, 3 when the judge failed on one, else 1."""
    statuses = {verdict.status for verdict in verdicts}
    if Status.JUDGE_ERROR in statuses:
        return 3
    return 0 if statuses <= {Status.ACCEPTED} else 1


def _follows(checkout: Checkout, exercise: Exercise, standing: "Standing | None") -> tuple[int, str] | None:
    from practice.catalog.suggestion import next_exercise

    try:
        with checkout.progress as progress:
            solved = {number for number, s in progress.standings().items() if s.solved_at is not None}
    except PracticeError:
        solved = set()
    entry = next_exercise(checkout.catalog, solved | {exercise.number}, exercise.number)
    return (entry.number, entry.title) if entry else None


def _checks_named(names: tuple[str, ...], exercise: Exercise) -> tuple[str, ...]:
    """The checks meant by these names, which may leave out `check_`."""
    from practice.kernel import judging

    known = judging.check_names(exercise)
    found = []
    for name in names:
        full = name if name in known else f"check_{name}"
        if full not in known:
            import difflib

            near = difflib.get_close_matches(full, known, n=3, cutoff=0.3) or list(known)
            raise NotFound(f'exercise {exercise.number} has no check "{name}"', f"its checks are {', '.join(near)}", tuple(near))
        found.append(full)
    return tuple(found)


def _still_the_starter(entry: Entry, exercise: Exercise, own: Path) -> int:
    names = " and ".join(f"`{name}`" for name in exercise.entry)
    print(f"{shown(own)} is still the starter: {names} {'is' if len(exercise.entry) == 1 else 'are'} waiting to be written")
    print(f"\nhint: `{typed(f'show {entry.number}')}` prints the question again")
    return 1
