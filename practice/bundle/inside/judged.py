"""A submission judged in the browser: the kernel's judge, and word to the page of how far it is.

The page alone can end what does not end, so it is told what runs now: the learner's code ("check"), or a known-wrong
submission that may explain a wrong answer ("idea"); ending the second must never be told as the learner's time limit.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from practice.bundle.inside.telling import Telling, written
from practice.kernel import door, words
from practice.kernel.backend import Usage
from practice.kernel.checklist import Check, load_checks
from practice.kernel.errors import BrokenExercise
from practice.kernel.exercise import Exercise, Limits
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.report import not_run
from practice.kernel.verdict import CheckResult, Status, Verdict, from_json, to_json

SLOWNESS = 3.0
"""Python in WebAssembly takes 1.5 to 3 times as long as the Python that limits were measured with."""
REFERENCE_SECONDS = 0.0034
"""Seconds of one `_loop` on the machine the limits were set on, as in practice.runner.yardstick."""
Post = Callable[[Any], None]


def judge(request: dict[str, Any], post: Post) -> dict[str, Any]:
    """The verdict's JSON. Posts {"limit"} (seconds per check), {"names"}, then {"phase"}, {"call"} and {"result"} as they come."""
    backend = WatchedBackend(request["submission"].encode("utf-8", "surrogatepass"), post)
    exercise = door.exercise_from_json(request["exercise"])
    post({"limit": backend.limit_seconds(exercise.limits), "names": [check.name for check in _checks(exercise, request)]})
    return json.loads(door.judge_json(json.dumps(request), backend, lambda text: post({"result": json.loads(text)})))


def ended(question: dict[str, Any], post: Post) -> dict[str, Any]:
    """The verdict on a submission whose worker was ended or died.

    question: request (what was asked), results (JSON of the checks that were done), why ("time", or what the interpreter said last),
    call (what Telling posted last of the check after those).
    """
    request = question["request"]
    status, reason = _ending(question["why"])
    exercise = door.exercise_from_json(request["exercise"])
    backend = WatchedBackend(b"", post)
    limit = backend.limit_seconds(exercise.limits)
    checks = _checks(exercise, request)
    results = list(_results(question["results"]))
    for check in checks[len(results) :]:
        is_first = len(results) == len(question["results"])
        call = written(question.get("call")) if is_first else ""
        results.append(_ended(check, status, exercise, limit, reason, call) if is_first else not_run(check))
    failed = next((r for r in results if r.status not in (Status.ACCEPTED, Status.NOT_RUN)), None)
    whole = failed.status if failed else Status.ACCEPTED
    return to_json(
        Verdict(
            exercise=exercise.id,
            status=whole,
            headline=words.headline(whole, results),
            checks=tuple(results),
            seed=request.get("seed") or 0,
            seconds=max((result.seconds for result in results), default=0.0),
            limit_seconds=limit,
            output=failed.output if failed else "",
            judged=_where(backend),
        )
    )


class WatchedBackend(LoopbackBackend):
    """The loopback, with word to the page before each session, and a time limit that is looked at afterwards too."""

    def __init__(self, learners: bytes, post: Post) -> None:
        super().__init__()
        self._learners = learners
        self._slowness = SLOWNESS
        self._post = post

    def limit_seconds(self, limits: Limits) -> float:
        return limits.seconds * self._slowness

    def is_slower_than_thought(self) -> bool:
        """Measures this machine before a time limit is told: a busy one must not look like a slow submission."""
        before, self._slowness = self._slowness, max(SLOWNESS, 1.3 * min(_loop() for _ in range(3)) / REFERENCE_SECONDS)
        return self._slowness > 1.05 * before

    def open(self, exercise: Exercise, submission: bytes) -> "_Session":
        is_learners = submission == self._learners
        self._post({"phase": "check" if is_learners else "idea"})
        session = super().open(exercise, submission)
        if is_learners:
            session.transport.announce = Telling(self._post)
        return _Session(session, self.limit_seconds(exercise.limits))


class _Session:
    def __init__(self, session: Any, limit: float) -> None:
        self.transport = session.transport
        self._session = session
        self._limit = limit

    def close(self) -> Usage:
        usage = self._session.close()
        is_late = usage.ended is None and usage.seconds > self._limit
        return replace(usage, ended=Status.TIME_LIMIT) if is_late else usage


def _loop() -> float:
    """Seconds that integers, floats, a dict and a list take: the work of the runner's yardstick."""
    began = perf_counter()
    seen: dict[int, float] = {}
    total = 0.0
    for i in range(20_000):
        key = i * 7 % 1009
        total += seen.get(key, 0.5) * 0.25
        seen[key] = total % 3.0
    sorted(seen.values())
    return perf_counter() - began


def _ending(why: str) -> tuple[Status, str]:
    """A dead worker's last words as a status and a reason for the learner."""
    if why == "time":
        return Status.TIME_LIMIT, "it was ended when more than twice that had passed"  # as the page waits, site/app/judge/judging.js
    said = why.lower()
    code = re.search(r"exit\((-?\d+)\)", said)
    if code or "exited" in said:
        return Status.RUNTIME_ERROR, f"{words.ENDED_EARLY} (exit code {code[1]})" if code else words.ENDED_EARLY
    if "call stack" in said or "too much recursion" in said:
        return Status.RUNTIME_ERROR, f"{words.ENDED_EARLY}: it went deeper than the browser's stack"
    if "memory limit" in said or "out of memory" in said:
        return Status.MEMORY_LIMIT, ""
    return Status.RUNTIME_ERROR, words.ENDED_EARLY


def _ended(check: Check, status: Status, exercise: Exercise, limit: float, reason: str, call: str) -> CheckResult:
    message = words.limit(status, exercise.limits, limit, reason)
    seconds = limit if status is Status.TIME_LIMIT else 0.0
    return CheckResult(check.name, status, check.title, check.shown, message=message, call=call, seconds=seconds)


def _checks(exercise: Exercise, request: dict[str, Any]) -> list[Check]:
    """The checks that will run; none when they do not load, which the judge then tells."""
    try:
        checks = load_checks(exercise)
    except BrokenExercise:
        return []
    only = request.get("only") or ()
    return [c for c in checks if (not only or c.name in only) and (c.shown or not request.get("examples_only"))]


def _results(values: list[dict[str, Any]]) -> tuple[CheckResult, ...]:
    whole = {**to_json(Verdict("", Status.ACCEPTED, "")), "checks": values}
    return from_json(whole).checks


def _where(backend: LoopbackBackend) -> dict[str, Any]:
    python = ".".join(map(str, sys.version_info[:3]))
    return {"python": python, "platform": sys.platform, "backend": backend.name, "isolation": backend.isolation()}
