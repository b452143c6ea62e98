"""The judge: an exercise's checks in order, each against a fresh submission, and the rule of when to stop."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from practice.kernel import calls, report, words
from practice.kernel.backend import Backend
from practice.kernel.checklist import Check, check_names, load_checks
from practice.kernel.errors import BrokenExercise, NotFound, PracticeError
from practice.kernel.exercise import Exercise, KnownWrong
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.text import clean
from practice.kernel.trial import Trial, run_check
from practice.kernel.verdict import CheckResult, Status, Verdict

__all__ = ["check_names", "judge"]

_STOPS = {Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.OUTPUT_LIMIT, Status.COMPILE_ERROR, Status.JUDGE_ERROR}
_SECONDS_FOR_IDEAS = 2.0
"""Wall seconds that may go into finding the known-wrong submission which answers the same."""


def judge(
    exercise: Exercise,
    submission: str | bytes,
    backend: Backend,
    *,
    seed: int | None = None,
    only: Sequence[str] = (),
    examples_only: bool = False,
    until_failure: bool = False,
    on_result: Callable[[CheckResult], None] | None = None,
) -> Verdict:
    """The verdict on one submission.

    seed: draws the randomised checks; a new one when None. only: names of the checks to run.
    until_failure: after the first check that is not passed the rest is not run.
    on_result: called with each check's result as soon as it is known.
    Raises NotFound when `only` names a check that does not exist.
    """
    seed = int.from_bytes(os.urandom(4), "little") if seed is None else seed
    source = submission.encode("utf-8", "surrogatepass") if isinstance(submission, str) else bytes(submission)
    try:
        checks = load_checks(exercise)
        chosen = _chosen(checks, only, examples_only)
    except BrokenExercise as error:
        return _broken(exercise, backend, seed, error)
    run = _Run(exercise, source, backend, seed, [check for check in checks if "rng" in check.parameters])
    for check in chosen:
        result = run.judge(check)
        if until_failure and result.status is not Status.ACCEPTED:
            run.stop()
        if on_result:
            on_result(result)
    return run.verdict()


class _Run:
    """One submission on its way through the checks."""

    def __init__(self, exercise: Exercise, source: bytes, backend: Backend, seed: int, random_checks: list[Check]) -> None:
        self._exercise = exercise
        self._random_checks = random_checks
        """The randomised ones, in which mistakes that look alike in one case part ways."""
        self._source = source
        self._backend = backend
        self._seed = seed
        self._limit_seconds = backend.limit_seconds(exercise.limits)
        self._results: list[CheckResult] = []
        self._memory = 0
        self._is_stopped = False

    def judge(self, check: Check) -> CheckResult:
        """Run one check, unless an earlier one ended the run."""
        result = report.not_run(check) if self._is_stopped else self._run_safely(check)
        self._is_stopped = self._is_stopped or result.status in _STOPS
        self._results.append(result)
        return result

    def stop(self) -> None:
        """Run no further check."""
        self._is_stopped = True

    def verdict(self) -> Verdict:
        failed = [result for result in self._results if result.status not in (Status.ACCEPTED, Status.NOT_RUN)]
        status = failed[0].status if failed else Status.ACCEPTED
        told = failed[0] if failed else self._results[-1] if self._results else None
        return Verdict(
            exercise=self._exercise.id,
            status=status,
            headline=words.headline(status, self._results),
            checks=tuple(self._results),
            seed=self._seed,
            seconds=max((result.seconds for result in self._results), default=0.0),
            limit_seconds=self._limit_seconds,
            memory=self._memory,
            output=told.output if told else "",
            judged=_where(self._backend),
        )

    def _run_safely(self, check: Check) -> CheckResult:
        """A bug of the judge's own is told as one, whatever the submission did to bring it out."""
        try:
            return self._run(check)
        except PracticeError:
            raise
        except Exception as error:
            message = clean(f"the judge itself raised {type(error).__name__}: {error}", 1000)
            return CheckResult(check.name, Status.JUDGE_ERROR, check.title, check.shown, message=message)

    def _run(self, check: Check) -> CheckResult:
        trial = run_check(check, self._exercise, self._source, self._backend, self._seed)
        if trial.status is Status.TIME_LIMIT and self._has_a_longer_limit():
            trial = run_check(check, self._exercise, self._source, self._backend, self._seed)
        self._memory = max(self._memory, trial.usage.memory)
        result = report.result_of(check, trial, self._exercise, self._limit_seconds)
        if trial.is_crash:
            result = self._crash(check, trial, result)
        is_first = all(other.status is not Status.WRONG_ANSWER for other in self._results)
        if result.status is Status.WRONG_ANSWER and is_first:
            return self._named(check, trial, result)
        return result

    def _has_a_longer_limit(self) -> bool:
        """Before a time limit is told: True when the backend finds its machine slower than it believed."""
        measure = getattr(self._backend, "is_slower_than_thought", None)
        if measure is None or not measure():
            return False
        self._limit_seconds = self._backend.limit_seconds(self._exercise.limits)
        return True

    def _crash(self, check: Check, trial: Trial, result: CheckResult) -> CheckResult:
        """A check that broke on this submission's answers but passes on the reference's has found a wrong answer."""
        if not self._exercise.solution:
            return result
        reference = run_check(check, self._exercise, self._exercise.solution.encode(), LoopbackBackend(), self._seed)
        if reference.status is not Status.ACCEPTED:
            return result
        return replace(result, status=Status.WRONG_ANSWER, traceback=(), **report.unusable_answer(trial, reference))

    def _named(self, check: Check, trial: Trial, result: CheckResult) -> CheckResult:
        """The result with the idea of the known-wrong submission that answers the same on the same inputs, if one does."""
        until = perf_counter() + _SECONDS_FOR_IDEAS
        # A mistake that fails a check which this submission passed is another one, however alike both answer here.
        passed = {other.name for other in self._results if other.status is Status.ACCEPTED}
        candidates = [wrong for wrong in self._exercise.wrong if wrong.fails not in passed]
        candidates.sort(key=lambda wrong: wrong.fails != check.name)
        alike = self._alike(check, trial, candidates, until)
        for other in self._random_checks:
            if len(alike) < 2 or other is check or perf_counter() > until:
                continue
            mine = run_check(other, self._exercise, self._source, self._backend, self._seed)
            alike = self._alike(other, mine, alike, until) or alike
        if not alike:
            return result
        wrong = alike[0]
        # Ideas stand at the end of a message; a reader who shows them apart cuts it at the first one's colon.
        message = f"{result.message}{'.' if result.idea else ':'} {wrong.idea}" if wrong.idea else result.message
        return replace(result, known_wrong=wrong.name, message=message, idea=result.idea or wrong.idea)

    def _alike(self, check: Check, trial: Trial, candidates: list[KnownWrong], until: float) -> list[KnownWrong]:
        """Those that fail this check with the same answers to the same calls."""
        found = []
        for wrong in candidates:
            if perf_counter() > until:
                break
            other = run_check(check, self._exercise, wrong.source.encode(), self._backend, self._seed)
            if other.status is not Status.ACCEPTED and other.usage.ended is None and calls.alike(trial.link, other.link):
                found.append(wrong)
        return found


def _chosen(checks: tuple[Check, ...], only: Sequence[str], examples_only: bool) -> list[Check]:
    names = [check.name for check in checks]
    for name in only:
        if name not in names:
            import difflib

            near = tuple(difflib.get_close_matches(name, names, 3, 0.3))
            raise NotFound(f"there is no check {name!r}", f"the checks are {', '.join(names)}", near)
    return [check for check in checks if (not only or check.name in only) and (check.shown or not examples_only)]


def _broken(exercise: Exercise, backend: Backend, seed: int, error: BrokenExercise) -> Verdict:
    result = CheckResult("checks.py", Status.JUDGE_ERROR, "The checks load", message=clean(error.message, 1000))
    headline = words.headline(Status.JUDGE_ERROR, [result])
    return Verdict(exercise.id, Status.JUDGE_ERROR, headline, (result,), seed, judged=_where(backend))


def _where(backend: Backend) -> dict:
    python = ".".join(map(str, sys.version_info[:3]))
    return {"python": python, "platform": sys.platform, "backend": backend.name, "isolation": backend.isolation()}
