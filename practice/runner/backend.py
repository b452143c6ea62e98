"""The judge's backend on this machine: a fork server where fork is safe, a new interpreter per check elsewhere."""

import sys

from practice.kernel.errors import PracticeError
from practice.kernel.exercise import Exercise, Limits
from practice.runner import library, yardstick

LOADED = ("numpy", "sim")
"""What of an exercise's `requires` is loaded before the submission; the rest says where it can be judged."""


class PipeBackend:
    """Fresh, hardened processes behind pipes. A context manager; not for several threads."""

    name = "pipe"

    def __init__(self, requires: tuple[str, ...] = (), *, speed: float | None = None, fork: bool | None = None) -> None:
        """Starts the fork server at once, in the background.

        requires: what the first exercise requires, when it is known already.
        speed: the yardstick to use instead of measuring this machine's.
        fork: False for a new interpreter per check, which is slower; None for what is safe here.
        """
        self._speed = speed
        self._is_measured = speed is None
        self._requires = _loaded(requires)
        self._processes = _processes(sys.platform == "linux" if fork is None else fork)
        self._processes.prepare(self._requires)

    def __enter__(self) -> "PipeBackend":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process of this backend."""
        self._processes.close()

    def isolation(self) -> dict:
        """{"level", "layers", "missing"}: what stands between a submission and this machine."""
        return dict(self._processes.isolation(self._requires))

    def limit_seconds(self, limits: Limits) -> float:
        """The CPU limit on this machine: the stored one, stretched by the yardstick."""
        if self._speed is None:
            self._speed = yardstick.read_or_measure()
        return limits.seconds * self._speed

    def is_slower_than_thought(self) -> bool:
        """Measure the yardstick again, before a time limit is told: a busy or throttled machine must not look like a slow
        submission. True when the limit grew by more than a twentieth; the check is then judged once more."""
        if not self._is_measured:
            return False
        before, self._speed = self._speed or 1.0, yardstick.measure()
        yardstick.keep(self._speed)
        return self._speed > 1.05 * before

    def open(self, exercise: Exercise, submission: bytes):
        """A session with a fresh process that has read nothing of the submission yet.

        Raises PracticeError when what the exercise requires is not installed, or no process can be had.
        """
        self._requires = _loaded(exercise.requires)
        named = library.named_modules(submission + exercise.checks.encode(errors="replace"))
        return self._open(exercise.limits, tuple(named))

    def _open(self, limits: Limits, named: tuple[str, ...]):
        from practice.runner.session import CannotStart, Kind

        try:
            return self._processes.open(Kind(self._requires, limits, self.limit_seconds(limits), named))
        except CannotStart as error:
            raise _explained(self._requires, str(error)) from None


def _processes(fork: bool):
    """Imported here: the one needs what Windows does not have, the other is slow to import."""
    if fork:
        from practice.runner.forked import Forked

        return Forked()
    from practice.runner.spawned import Spawned

    return Spawned()


def _loaded(requires: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in LOADED if name in requires)


def _explained(requires: tuple[str, ...], why: str) -> PracticeError:
    for name in requires:
        if f"No module named '{name}'" in why:
            return PracticeError(
                f"this exercise needs {name}, which {sys.executable} does not have",
                f"install it: {sys.executable} -m pip install {name}",
            )
    return PracticeError(f"no process for the submission could be started: {why or 'it ended at once'}", "run `judge.py doctor`")
