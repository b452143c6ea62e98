"""One submission to judge for the audit, and the workers that judge many on all cores."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from practice.catalog.read import read_exercise
from practice.kernel.exercise import Exercise
from practice.kernel.verdict import Verdict


@dataclass(frozen=True)
class Job:
    """One submission of one exercise, judged with one seed."""

    folder: Path
    kind: str
    """solution, accepted, starter, wrong or mutant."""
    name: str
    """The file's stem; of a mutant, what was changed."""
    source: str
    seed: int
    backend: str = "pipe"
    """pipe, or loopback: how the browser judges."""
    stretch: float = 1.0
    """The time limit is multiplied by this."""
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """A job with its verdict."""

    job: Job
    verdict: Verdict


def judge_all(jobs: Iterable[Job], workers: int = 0) -> Iterator[Judged]:
    """Judges the jobs and hands each over as it is done, in any order.

    workers: processes; 0 takes one for each core. A single job, or one worker, is judged in this process.
    """
    waiting = list(jobs)
    workers = min(workers or os.cpu_count() or 1, len(waiting))
    if workers <= 1:
        yield from map(judge_job, waiting)
        return
    # Spawned, because a backend of this process may already run threads, which a fork would not carry over.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = set()
        try:
            # Only a few are handed out ahead, so that Ctrl-C does not have to wait for the rest.
            while waiting or running:
                while waiting and len(running) < 3 * workers:
                    running.add(pool.submit(judge_job, waiting.pop(0)))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def judge_job(job: Job) -> Judged:
    """Judges one submission in this process."""
    from practice.kernel import judging

    exercise = _exercise(job.folder)
    if job.stretch != 1.0:
        exercise = replace(exercise, limits=replace(exercise.limits, seconds=exercise.limits.seconds * job.stretch))
    # Without the known-wrong files: an author needs no guess at which of them this is, and each guess is a run.
    exercise = replace(exercise, wrong=())
    verdict = judging.judge(exercise, job.source, _backend(job.backend), seed=job.seed, only=job.only)
    return Judged(job, verdict)


@lru_cache(maxsize=8)
def _exercise(folder: Path) -> Exercise:
    return read_exercise(folder)


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
