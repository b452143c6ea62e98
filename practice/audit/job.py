"""One submission to judge for the audit, and the workers that judge many on all cores."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from practice.kernel.exercise import Exercise
from practice.kernel.verdict import Verdict


@dataclass(frozen=True)
class Job:
    """One submission of one exercise, judged with one seed."""

    folder: Path
    exercise: Exercise
    """As it was read when the audit began; an author may be editing the folder meanwhile."""
    kind: str
    """solution, accepted, starter, wrong, slow, cover or mutant."""
    name: str
    """The file's stem; of a mutant, what was changed."""
    source: str
    seed: int
    backend: str = "pipe"
    """pipe, or loopback: how the browser judges."""
    stretch: float = 1.0
    """The time limit is multiplied by this."""
    only: tuple[str, ...] = ()
    until_failure: bool = False

    @property
    def is_counted(self) -> bool:
        """False for more checks of a submission that was counted before."""
        return self.kind != "cover"


@dataclass(frozen=True)
class Judged:
    """A job with its verdict."""

    job: Job
    verdict: Verdict


class Workers:
    """Processes that judge. A context manager: they are started by the first jobs and live until its end."""

    def __init__(self, number: int = 0) -> None:
        """number: processes; 0 takes one for each core and one more, for the moments when one waits for a submission."""
        self._number = number or (os.cpu_count() or 1) + 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=not any(error), cancel_futures=True)

    def judge(self, jobs: Iterable[Job]) -> Iterator[Judged]:
        """Judges the jobs and hands each over as it is done, in any order. A single job, or one worker, is judged in this process."""
        waiting = deque(jobs)
        if min(self._number, len(waiting)) <= 1 and self._pool is None:
            yield from (Judged(job, judge_job(job)) for job in waiting)
            return
        if self._pool is None:
            # Spawned, because a backend of this process may already run threads, which a fork would not carry over.
            self._pool = ProcessPoolExecutor(min(self._number, len(waiting)), mp_context=get_context("spawn"))
        running: dict[Future[Verdict], Job] = {}
        # Only a few are handed out ahead, so that Ctrl-C does not have to wait for the rest.
        while waiting or running:
            while waiting and len(running) < 3 * self._number:
                job = waiting.popleft()
                running[self._pool.submit(judge_job, job)] = job
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield Judged(running.pop(future), future.result())


def for_judging(exercise: Exercise) -> Exercise:
    """The exercise without what no verdict needs: it travels to a worker with every job.

    Without the known-wrong files, too: an author needs no guess at which of them this is, and each guess is a run.
    """
    return replace(exercise, prompt="", hints=(), after="", wrong=())


def judge_job(job: Job) -> Verdict:
    """Judges one submission in this process."""
    from practice.kernel import judging

    exercise, backend = job.exercise, _backend(job.backend)
    if job.stretch != 1.0:
        exercise = replace(exercise, limits=replace(exercise.limits, seconds=exercise.limits.seconds * job.stretch))
    return judging.judge(exercise, job.source, backend, seed=job.seed, only=job.only, until_failure=job.until_failure)


@lru_cache(maxsize=2)
def _backend(name: str) -> object:
    """One backend of each kind for a worker's whole life; a pipe's fork server ends with the worker."""
    if name == "loopback":
        from practice.kernel.loopback import LoopbackBackend

        return LoopbackBackend()
    import atexit

    from practice.runner.backend import PipeBackend

    backend = PipeBackend()
    backend.__enter__()
    atexit.register(backend.__exit__, None, None, None)
    return backend
