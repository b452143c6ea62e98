"""When every step of a run of the simulator ended, without storing each of them."""

from array import array
from bisect import bisect_right

from practice.sim.run import decode_shape, elapsed
from practice.sim.setup import Setup


class Timeline:
    """The end times of all steps, as segments: single steps, and runs of decode steps in closed form.

    Steps are numbered from 0. Only steps in which running requests decode are counted (with the default schedule
    that is every step), so that the tokens of a request are one slice of the numbers.
    """

    __slots__ = ("_setup", "_first", "_time", "_decoding", "_context")

    def __init__(self, setup: Setup):
        self._setup = setup
        self._first = array("q")
        self._time = array("d")
        self._decoding = array("q")
        self._context = array("d")

    @property
    def setup(self) -> Setup:
        """Of the instance that took the steps."""
        return self._setup

    @property
    def tokens_per_round(self) -> float:
        """Tokens that a decoding request gets in one step."""
        return self._setup.tokens_per_round

    def appends(self) -> tuple:
        """What an engine calls for each segment, in this order and with these values:

        first step, time, decoding, context. A run of decode steps has the time of its start, the number of requests
        that decode and their context, and lasts until the next segment. A single step has the time of its end, 0, 0.
        """
        return self._first.append, self._time.append, self._decoding.append, self._context.append

    def times(self, begin: int, end: int) -> list[float]:
        """The end times of the steps begin, ..., end - 1, in seconds."""
        times = []
        if begin >= end:
            return times
        position = bisect_right(self._first, begin) - 1
        while begin < end:
            following = self._first[position + 1] if position + 1 < len(self._first) else end
            stop = min(following, end)
            times.extend(self._segment_times(position, begin, stop))
            begin = stop
            position += 1
        return times

    def _segment_times(self, position, begin, end):
        if not self._decoding[position]:
            return [self._time[position]]
        first, start = self._first[position], self._time[position]
        shape = decode_shape(self._setup, self._decoding[position], self._context[position])
        return [start + elapsed(step - first + 1, *shape) for step in range(begin, end)]

    def __eq__(self, other):
        return isinstance(other, Timeline) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self):
        return f"<Timeline of {len(self._first)} segments>"
