"""What a backend is: where submissions live while they are judged. LoopbackBackend and runner's PipeBackend are ones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from practice.kernel.exercise import Exercise, Limits
from practice.kernel.verdict import Status


@dataclass(frozen=True)
class Usage:
    """What one session used, and how it ended."""

    seconds: float = 0.0
    """CPU seconds of the submission, or wall seconds where CPU time cannot be had."""
    memory: int = 0
    """Peak bytes of its process, or 0 where it cannot be had."""
    output: str = ""
    """What it printed."""
    ended: Status | None = None
    """Set when it did not answer to the end: a limit, or a runtime error when its process went away."""
    reason: str = ""
    """Why, as a sentence for the learner: `your program ended before it answered (exit code 0)`."""


class Transport(Protocol):
    """Carries frames to one submission and back.

    It may have `announce`, a function that gets the Link before each call of the check: whoever can only end a submission from
    outside learns from it which call did not return.
    """

    def exchange(self, frame: bytes, on_callback: Callable[[bytes], bytes]) -> bytes:
        """The answer to one request. Frames that are callbacks are answered by `on_callback` meanwhile.

        `on_callback` may itself call `exchange`. Raises SessionEnded when the other side is gone.
        """


class Session(Protocol):
    """One fresh submission, from before it is loaded to its end."""

    transport: Transport

    def close(self) -> Usage:
        """End it, whatever it is doing."""


class Backend(Protocol):
    """Makes one session per check."""

    name: str

    def isolation(self) -> dict[str, Any]:
        """{"level": int, "layers": [...], "missing": [...]}"""

    def limit_seconds(self, limits: Limits) -> float:
        """The time limit on this machine."""

    def open(self, exercise: Exercise, submission: bytes) -> Session:
        """Start a fresh process or namespace. The judge sends `submission` to be loaded as its first request."""
