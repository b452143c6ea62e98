"""What an exercise claims about its own submissions, held against their verdicts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from practice.audit.finding import Finding
from practice.audit.form import randomised_checks
from practice.audit.job import Job, Judged, for_judging
from practice.catalog.read import read_sources
from practice.kernel.exercise import Exercise, KnownWrong
from practice.kernel.verdict import Status, Verdict

TIMES = 5.0
"""The limit leaves the solution at least this many times its time, because laptops and browsers vary."""
MEMORY_TIMES = 2.0
SLOW_TIMES = 2.0
"""A known-wrong submission that must be too slow is too slow by at least this factor."""


@dataclass(frozen=True)
class Evidence:
    """Everything that was judged of one exercise."""

    folder: Path
    exercise: Exercise
    judged: tuple[Judged, ...]

    def of(self, kind: str, name: str | None = None, backend: str = "pipe") -> list[Verdict]:
        """The verdicts of one kind of submission, or of one file of it."""
        return [j.verdict for j in self.judged if j.job.kind == kind and name in (None, j.job.name) and j.job.backend == backend]


def claim_jobs(folder: Path, exercise: Exercise, seeds: Sequence[int]) -> Iterator[Job]:
    """The submissions of an exercise that must be judged.

    The right ones with every seed, though only the first seed asks what draws nothing; the wrong ones with the first, and
    no further than they claim.
    """
    bare, first = for_judging(exercise), seeds[0]
    randomised = randomised_checks(exercise)
    for seed in seeds if randomised else seeds[:1]:
        only = () if seed == first else randomised
        yield Job(folder, bare, "solution", "solution", exercise.solution, seed, only=only)
        for name, source in read_sources(folder, "accepted").items():
            yield Job(folder, bare, "accepted", name, source, seed, only=only)
    yield Job(folder, bare, "starter", "starter", exercise.starter, first)
    for known in exercise.wrong:
        yield Job(folder, bare, "wrong", known.name, known.source, first, until_failure=True)
    if "processes" not in exercise.requires:
        yield Job(folder, bare, "solution", "solution", exercise.solution, first, "loopback")
        yield Job(folder, bare, "starter", "starter", exercise.starter, first, "loopback")


def second_jobs(evidence: Evidence) -> Iterator[Job]:
    """What the first verdicts make necessary: a close measurement again, a slow known-wrong with twice the time."""
    exercise, folder, bare = evidence.exercise, evidence.folder, for_judging(evidence.exercise)
    if any(verdict.status is Status.ACCEPTED and not _is_quick(verdict) for verdict in evidence.of("solution")):
        seed = evidence.of("solution")[0].seed
        for _ in range(2):
            yield Job(folder, bare, "solution", "solution", exercise.solution, seed)
    for known in exercise.wrong:
        for verdict in evidence.of("wrong", known.name):
            if _ended_by(verdict, known) is Status.TIME_LIMIT:
                yield Job(folder, bare, "slow", known.name, known.source, verdict.seed, stretch=SLOW_TIMES, only=(known.fails,))


def cover_job(evidence: Evidence) -> Job | None:
    """The next known-wrong submission to try on the checks that none has failed yet; None when there is nothing to try.

    One at a time, because most of these checks are failed by the first or second that is tried.
    """
    verdicts = evidence.of("wrong") + evidence.of("cover")
    names = [check.name for check in verdicts[0].checks] if verdicts else []
    left = [name for name in names if name not in _failed_names(verdicts)]
    for known in sorted(evidence.exercise.wrong, key=lambda known: names.index(known.fails) if known.fails in names else len(names)):
        tried = evidence.of("wrong", known.name) + evidence.of("cover", known.name)
        asked = {check.name for verdict in tried for check in verdict.checks if check.status is not Status.NOT_RUN}
        only = tuple(name for name in left if name not in asked)
        # After any other end the rest of the checks would not have been run either.
        if only and tried and tried[0].status in (Status.WRONG_ANSWER, Status.RUNTIME_ERROR):
            bare = for_judging(evidence.exercise)
            return Job(evidence.folder, bare, "cover", known.name, known.source, tried[0].seed, only=only)
    return None


def claim_findings(evidence: Evidence) -> Iterator[Finding]:
    """Every claim that does not hold; where the solution does not even load, only that: the rest would say it again."""
    loads = any(verdict.status is not Status.COMPILE_ERROR for verdict in evidence.of("solution"))
    rules = (_right_ones, _starter, _known_wrong_ones, _slow_ones, _room, _coverage)
    for rule in rules if loads else rules[:2]:
        yield from rule(evidence)


def _right_ones(evidence: Evidence) -> Iterator[Finding]:
    """Each file and check once for each way of judging, with the first seed that shows it."""
    told = set()
    for judged in sorted(evidence.judged, key=lambda judged: (judged.job.backend != "pipe", judged.verdict.seed)):
        job, verdict = judged.job, judged.verdict
        if job.kind in ("solution", "accepted") and verdict.status is not Status.ACCEPTED:
            file = "solution.py" if job.kind == "solution" else f"accepted/{job.name}.py"
            where = "" if job.backend == "pipe" else " where the browser's way of judging is used"
            if (file, _failed_name(verdict), where) in told:
                continue
            told.add((file, _failed_name(verdict), where))
            yield _finding(evidence, file, f"is not accepted{where} (seed {verdict.seed}): {_words(verdict)}", key=_failed_name(verdict))


def _starter(evidence: Evidence) -> Iterator[Finding]:
    for verdict in evidence.of("starter") + evidence.of("starter", backend="loopback"):
        if verdict.status is Status.COMPILE_ERROR:
            yield _finding(evidence, "starter.py", f"does not load: {_words(verdict)}")
            return
        elif verdict.passed:
            names = ", ".join(check.name for check in verdict.checks if check.status is Status.ACCEPTED)
            yield _finding(evidence, "starter.py", f"passes {names}, but the starter must pass nothing", "let it raise NotImplementedError")


def _known_wrong_ones(evidence: Evidence) -> Iterator[Finding]:
    for known in evidence.exercise.wrong:
        file, key = f"wrong/{known.name}.py", f"wrong.{known.name}"
        for verdict in evidence.of("wrong", known.name):
            check = verdict.first_failure
            if verdict.status is Status.ACCEPTED:
                yield _finding(evidence, file, f"is accepted (seed {verdict.seed})", "add a check that it fails", key)
            elif check is None or verdict.status is Status.JUDGE_ERROR:
                yield _finding(evidence, file, f"was not judged to the end: {_words(verdict)}", "", key)
            elif check.name != known.fails:
                text = f"fails first at {check.name}, but `fails` is {known.fails}; there: {_words(verdict)}"
                yield _finding(evidence, file, text, f'write `fails = "{check.name}"`, or mend the checks', f"{key}.fails")
            elif _squeezed(known.says) not in _squeezed(_read_by_learner(verdict)):
                text = f'fails as it should, but the learner does not read "{known.says}"; they read: {_words(verdict)}'
                yield _finding(evidence, file, text, "mend `says`, or the idea in the check", f"{key}.says")


def _slow_ones(evidence: Evidence) -> Iterator[Finding]:
    for judged in evidence.judged:
        if judged.job.kind == "slow" and judged.verdict.status is not Status.TIME_LIMIT:
            used = f"{judged.verdict.seconds:.2f} s of {judged.verdict.limit_seconds:.2f} s"
            text = f"is stopped by the time limit, but not by twice that limit ({used})"
            hint = "give the check larger inputs, or count operations"
            yield _finding(evidence, f"wrong/{judged.job.name}.py", text, hint, "limits.seconds")


def _room(evidence: Evidence) -> Iterator[Finding]:
    """The measurements with the most room count: a busy machine makes a submission slower, never faster."""
    accepted = [verdict for verdict in evidence.of("solution") if verdict.status is Status.ACCEPTED]
    if not accepted:
        return
    whole = max(len(verdict.checks) for verdict in accepted)
    accepted = [verdict for verdict in accepted if len(verdict.checks) == whole]
    quickest = min(accepted, key=lambda verdict: verdict.seconds)
    if not _is_quick(quickest):
        text = f"takes {quickest.seconds:.3f} s of {quickest.limit_seconds:.3f} s, but the limit must leave it {TIMES:g} times its time"
        yield _finding(evidence, "solution.py", text, "raise `limits.seconds`, or make the inputs smaller", "limits.seconds")
    least, limit = min(verdict.memory for verdict in accepted), evidence.exercise.limits.memory
    if least * MEMORY_TIMES > limit:
        text = f"takes {least / 2**20:.0f} MiB of {limit / 2**20:.0f} MiB, but the limit must leave it {MEMORY_TIMES:g} times its memory"
        yield _finding(evidence, "solution.py", text, "raise `limits.memory_mib`, or make the inputs smaller", "limits.memory_mib")


def _is_quick(verdict: Verdict) -> bool:
    return verdict.seconds * TIMES <= verdict.limit_seconds


def _coverage(evidence: Evidence) -> Iterator[Finding]:
    if not evidence.of("starter"):
        return
    by_wrong = _failed_names(evidence.of("wrong") + evidence.of("cover"))
    by_starter = _failed_names(evidence.of("starter"))
    for check in evidence.of("starter")[0].checks:
        if check.name in by_wrong:
            continue
        if check.name not in by_starter:
            text = f"{check.name} is failed by no known-wrong submission and not by the starter"
            yield _finding(evidence, "checks.py", text, "write the mistake it is there for, or remove it", check.name)
        else:
            text = f"{check.name} is failed by no known-wrong submission"
            yield Finding(evidence.folder.name, "checks.py", text, "write the mistake it is there for", check.name, suggestion=True)


def _failed_names(verdicts: Iterable[Verdict]) -> set[str]:
    passed = (Status.ACCEPTED, Status.NOT_RUN)
    return {check.name for verdict in verdicts for check in verdict.checks if check.status not in passed}


def _ended_by(verdict: Verdict, known: KnownWrong) -> Status | None:
    check = verdict.first_failure
    return check.status if check is not None and check.name == known.fails else None


def _read_by_learner(verdict: Verdict) -> str:
    check = verdict.first_failure
    parts = [verdict.headline]
    if check is not None:
        parts += [check.status.value, check.message, check.call, check.got, check.expected, check.difference, check.idea]
    return " ".join(parts)


def _squeezed(text: str) -> str:
    return " ".join(text.lower().split())


def _failed_name(verdict: Verdict) -> str:
    return verdict.first_failure.name if verdict.first_failure else ""


def _words(verdict: Verdict) -> str:
    """What happened, in one line of bounded length."""
    check = verdict.first_failure
    text = f"{verdict.status.value}: " + (f"{check.name}: {check.message}" if check else verdict.headline)
    if check and check.traceback:
        text += f" ({check.traceback[-1]})"
    text = " ".join(text.split())
    return text if len(text) <= 400 else text[:396] + " ..."


def _finding(evidence: Evidence, file: str, message: str, hint: str = "", key: str = "") -> Finding:
    return Finding(evidence.folder.name, file, message, hint, key)


def group(judged: Iterable[Judged], exercises: Mapping[Path, Exercise]) -> list[Evidence]:
    """The verdicts by exercise, in the exercises' order."""
    by_folder: dict[Path, list[Judged]] = {folder: [] for folder in exercises}
    for one in judged:
        by_folder[one.job.folder].append(one)
    return [Evidence(folder, exercises[folder], tuple(found)) for folder, found in by_folder.items()]
