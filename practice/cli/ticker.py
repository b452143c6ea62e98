"""A line on stderr that says how far a long computation is; silent for the first second and where nobody looks."""

import sys
import time
from collections.abc import Callable

_PATIENCE = 1.0
_BAR = 24


class Ticker:
    """Use as a context manager; call `tick` with the number of parts done."""

    def __init__(self, what: str, total: int, clock: Callable[[], float] = time.monotonic):
        self._what, self._total, self._clock = what, max(1, total), clock
        self._started = clock()
        self._shown = False

    def tick(self, done: int) -> None:
        """Shows how many of the parts are done."""
        spent = self._clock() - self._started
        if spent < _PATIENCE or not sys.stderr.isatty():
            return
        full = _BAR * min(done, self._total) // self._total
        left = spent / max(1, done) * max(0, self._total - done)
        sys.stderr.write(f"\r{self._what} [{'#' * full}{'.' * (_BAR - full)}] {done}/{self._total}, about {left:.0f} s left \033[K")
        sys.stderr.flush()
        self._shown = True

    def __enter__(self) -> "Ticker":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
