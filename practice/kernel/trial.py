"""One check run against one submission: what happened, before anyone words it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from practice.kernel.backend import Backend, Session, Usage
from practice.kernel.capture import Quiet
from practice.kernel.checklist import Check
from practice.kernel.exercise import Exercise
from practice.kernel.expect import Finding
from practice.kernel.failure import Remote, SessionEnded
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.remote import Link, Submission
from practice.kernel.verdict import Status


@dataclass(frozen=True)
class Trial:
    """What one check found out about one submission."""

    status: Status
    link: Link
    """The session, closed: what was asked and answered."""
    usage: Usage
    error: BaseException | None = None
    """What ended the check: a Finding, an exception of the submission, or a bug of the check."""
    problem: tuple[str, Any] | None = None
    """Why it does not load: the reason and the learner's own lines."""
    missing: str = ""
    """The first entry that the submission does not define."""

    @property
    def is_crash(self) -> bool:
        """True when neither an expectation nor the submission ended the check, but an error in the check itself."""
        return self.status is Status.JUDGE_ERROR and self.usage.ended is None and not isinstance(self.error, Remote)


def run_check(check: Check, exercise: Exercise, source: bytes, backend: Backend, seed: int) -> Trial:
    """Run one check against a fresh session of the submission."""
    session = backend.open(exercise, source)
    link = Link(session.transport)
    error = problem = None
    missing = ""
    references: list[Session] = []
    try:
        problem = link.load(source)
        if problem is None:
            missing = next((name for name in exercise.entry if name not in link.names), "")
        if problem is None and not missing:
            with Quiet():
                returned = check.function(**_arguments(check, exercise, link, seed, references))
            if returned is not None:
                raise TypeError(f"{check.name} gave a {type(returned).__name__}; a check gives nothing, and is no generator")
    except KeyboardInterrupt:
        raise
    except BaseException as raised:
        error = raised
    finally:
        usage = _told(session.close(), link)
        for reference in references:
            reference.close()
    return Trial(_status(error, bool(problem or missing), usage, link), link, usage, error, problem, missing)


def _told(usage: Usage, link: Link) -> Usage:
    """The usage; that the judge would not read on counts as a time limit, unless another one was reached."""
    if link.allowance.reason and usage.ended is None:
        return replace(usage, ended=Status.TIME_LIMIT, reason=link.allowance.reason)
    return usage


def _arguments(check: Check, exercise: Exercise, link: Link, seed: int, references: list[Session]) -> Mapping[str, object]:
    arguments: dict[str, object] = {"sub": Submission(link)}
    if "ref" in check.parameters:
        arguments["ref"] = _reference(exercise, references)
    if "rng" in check.parameters:
        from random import Random

        arguments["rng"] = Random(f"{seed}:{check.name}")
    return arguments


def _reference(exercise: Exercise, references: list[Session]) -> Submission:
    """The solution behind the same interface, in this process."""
    source = exercise.solution.encode()
    session = LoopbackBackend("reference").open(exercise, source)
    references.append(session)
    link = Link(session.transport, "reference")
    problem = link.load(source)
    if problem:
        raise RuntimeError(f"the solution does not load: {problem[0]}")
    return Submission(link)


def _status(error: BaseException | None, is_not_loaded: bool, usage: Usage, link: Link) -> Status:
    if usage.ended is not None:
        return usage.ended
    if is_not_loaded:
        return Status.COMPILE_ERROR
    if error is None:
        return Status.ACCEPTED
    if isinstance(error, SessionEnded):
        return Status.RUNTIME_ERROR
    if isinstance(error, Remote):
        if error.link is not link:
            return Status.JUDGE_ERROR
        return Status.MEMORY_LIMIT if isinstance(error, MemoryError) else Status.RUNTIME_ERROR
    return Status.WRONG_ANSWER if isinstance(error, (Finding, AssertionError)) else Status.JUDGE_ERROR
