"""The whole audit: read, judge on all cores, and everything that does not hold."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from practice.audit.claims import claim_findings, claim_jobs, cover_job, group, second_jobs
from practice.audit.finding import Finding, from_faults
from practice.audit.form import form_findings, todo_findings
from practice.audit.job import Job, Judged, Workers, for_judging
from practice.audit.links import link_findings
from practice.audit.mutant import mutants
from practice.catalog.find import Catalog
from practice.catalog.read import inspect
from practice.kernel.exercise import Exercise
from practice.kernel.verdict import Status

SEEDS = (1, 2, 3)
"""The right submissions are judged with each, the wrong ones with the first: an audit says the same twice."""

Progress = Callable[[int, int, str], None]
"""Called with submissions judged, submissions in all, and the exercise of the last one."""


@dataclass(frozen=True)
class Report:
    """What an audit found."""

    findings: tuple[Finding, ...]
    exercises: int
    submissions: int
    """Judged: files times seeds."""
    seconds: float
    """Wall time of judging."""

    @property
    def faults(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.suggestion]

    @property
    def suggestions(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.suggestion]


def audit(
    root: Path,
    folders: Sequence[Path],
    *,
    with_mutants: bool = False,
    seeds: Sequence[int] = SEEDS,
    workers: int = 0,
    on_progress: Progress | None = None,
    form_only: bool = False,
) -> Report:
    """Audits these exercise folders of the checkout at `root`; `form_only` judges nothing."""
    exercises, findings = _read(root, folders)
    if form_only:
        return Report(tuple(findings), len(folders), 0, 0.0)
    begun = time.perf_counter()
    with Workers(workers) as staff:
        watch = _Watch(staff, on_progress)
        judged = _judge_claims(watch, exercises, seeds)
        sound = []
        for evidence in group(judged, exercises):
            found = list(claim_findings(evidence))
            findings += found
            if not any(not finding.suggestion for finding in found):
                sound.append(evidence.folder)
        if with_mutants:
            # A mutant tells something only of an exercise whose own claims hold.
            findings += _survivors(watch.through(_mutant_jobs(exercises, sound, seeds[0])))
    seconds = time.perf_counter() - begun
    order = {folder.name: index for index, folder in enumerate(folders)}
    findings.sort(key=lambda finding: order.get(finding.exercise, 0))
    return Report(tuple(findings), len(folders), watch.done, seconds)


def _read(root: Path, folders: Sequence[Path]) -> tuple[dict[Path, Exercise], list[Finding]]:
    """The exercises that can be judged, and what is wrong with the form of all of them."""
    exercises: dict[Path, Exercise] = {}
    findings: list[Finding] = []
    for folder in folders:
        exercise, faults = inspect(folder)
        findings += from_faults(folder.name, faults)
        findings += form_findings(folder, exercise) if exercise else todo_findings(folder)
        if exercise:
            exercises[folder] = exercise
    findings += link_findings(root, Catalog(root).all(), {folder.name for folder in exercises})
    return exercises, findings


def _judge_claims(watch: "_Watch", exercises: dict[Path, Exercise], seeds: Sequence[int]) -> list[Judged]:
    """Everything that the exercises' claims are held against."""
    judged = watch.through([job for folder, exercise in exercises.items() for job in claim_jobs(folder, exercise, seeds)])
    more = list(chain.from_iterable(second_jobs(evidence) for evidence in group(judged, exercises)))
    while more := more + [job for evidence in group(judged, exercises) if (job := cover_job(evidence))]:
        judged += watch.through(more)
        more = []
    return judged


class _Watch:
    """Counts what is judged and says so."""

    def __init__(self, workers: Workers, on_progress: Progress | None) -> None:
        self.done = 0
        self.total = 0
        self.workers = workers
        self.on_progress = on_progress

    def through(self, jobs: Sequence[Job]) -> list[Judged]:
        self.total += sum(job.is_counted for job in jobs)
        found = []
        for one in self.workers.judge(jobs):
            self.done += one.job.is_counted
            found.append(one)
            if self.on_progress:
                self.on_progress(self.done, self.total, one.job.folder.name)
        return found


def _mutant_jobs(exercises: dict[Path, Exercise], sound: Iterable[Path], seed: int) -> list[Job]:
    return [
        Job(folder, bare, "mutant", f"line {mutant.line}: {mutant.what}", mutant.source, seed, until_failure=True)
        for folder in sound
        for bare in [for_judging(exercises[folder])]
        for mutant in mutants(exercises[folder].solution)
    ]


def _survivors(judged: Iterable[Judged]) -> list[Finding]:
    text = "no check notices this change of"
    alive = [one.job for one in judged if one.verdict.status is Status.ACCEPTED]
    alive.sort(key=lambda job: (job.folder.name, int(job.name.removeprefix("line ").partition(":")[0])))
    return [Finding(job.folder.name, "solution.py", f"{text} {job.name}", "add a check, if it matters", suggestion=True) for job in alive]
