"""What comes from the other side, before anything is done with it: of the right type, and no more than a judge will read.

A forged frame may hold what no server sends: an endless iterator of the check's own where a list of lines belongs, a
class with a hundred thousand bases, values that take a second to decode and a millisecond to send.
"""

import time

from practice.kernel.failure import SessionEnded

MOST_SECONDS = 4.0
"""CPU seconds that decoding the frames of one session may take; a submission's own clock does not run meanwhile."""
MOST_BYTES = 2**29
"""Bytes of all frames of one session: a check may keep what it was given."""
MOST_NAMES = 2000
"""Names of a module, methods and fields of a class."""
MOST_LINES = 20
"""Of a traceback."""
_clock = getattr(time, "thread_time", time.perf_counter)


class Allowance:
    """How much more of one session is read."""

    def __init__(self) -> None:
        self._seconds = MOST_SECONDS
        self._bytes = MOST_BYTES
        self.reason = ""
        """Set when it is used up: why, as a sentence for the learner."""

    def decode(self, codec, frame: bytes):
        """The value in the frame. Raises wire.WireError, and SessionEnded when too much was read already."""
        self._bytes -= len(frame)
        if self._bytes < 0:
            self.reason = f"its answers came to more than {MOST_BYTES >> 20} MiB"
        elif self._seconds < 0:
            self.reason = "its answers take too long to read"
        if self.reason:
            raise SessionEnded(self.reason)
        began = _clock()
        try:
            return codec.decode(frame)
        finally:
            self._seconds -= _clock() - began


def text(value) -> str:
    """Raises TypeError when it is none."""
    return _only(value, str)


def number(value) -> int | None:
    """The number of an object, or None. Raises TypeError."""
    return value if value is None else _only(value, int)


def texts(value, most: int) -> list[str]:
    """The first `most` of a list of texts. Raises TypeError."""
    return [text(one) for one in _only(value, list)[:most]]


def names(value) -> dict[str, str]:
    """What a module defines, and of which kind each is. Raises TypeError."""
    return {text(name): text(kind) for name, kind in [*_only(value, dict).items()][:MOST_NAMES]}


def fields(value) -> dict[str, object]:
    """The fields of an object from [names, values]. Raises TypeError and ValueError."""
    found, values = _only(value, list)
    pairs = zip(texts(found, MOST_NAMES), _only(values, list)[:MOST_NAMES], strict=True)
    return {name: value for name, value in pairs if name.isidentifier()}


def description(value) -> tuple[frozenset, tuple, object]:
    """A class from [names of its methods, names of its bases, what makes it an exception]. Raises TypeError and ValueError."""
    methods, bases, error = _only(value, list)
    return frozenset(texts(methods, MOST_NAMES)), tuple(texts(bases, MOST_NAMES)), error


def arguments(value) -> tuple[list, dict]:
    """Positional and named arguments from [args, kwargs or None]. Raises TypeError and ValueError."""
    args, kwargs = _only(value, list)
    return _only(args, list), {} if kwargs is None else _only(kwargs, dict)


def callback(value) -> tuple[int, list, dict]:
    """Which function is called, and with what, from [number, args, kwargs or None]. Raises TypeError and ValueError."""
    number, args, kwargs = _only(value, list)
    if _only(number, int) < 0:
        raise ValueError("no function has such a number")
    return number, *arguments([args, kwargs])


def _only(value, kind: type):
    if type(value) is not kind:
        raise TypeError(f"{type(value).__name__} where {kind.__name__} belongs")
    return value
