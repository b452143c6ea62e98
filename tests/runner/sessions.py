"""Submissions on a pipe backend, one call at a time, for the tests of this folder."""

from practice.kernel.exercise import Exercise, Limits
from practice.kernel.failure import SessionEnded
from practice.kernel.remote import Link, Submission


def exercise(requires=(), **limits):
    return Exercise(1, "f", "F", "estimation", "easy", 1, ("f",), "", requires=requires, limits=Limits(**{"seconds": 0.3, **limits}))


class Opened:
    """A session with its submission loaded: `sub` to ask, `usage()` to end it."""

    def __init__(self, backend, source, requires=(), **limits):
        self.session = backend.open(exercise(requires, **limits), source.encode())
        self.link = Link(self.session.transport)
        self.sub = Submission(self.link)
        try:
            self.fault = self.link.load(source.encode())
        except SessionEnded:
            self.fault = ("ended", [])

    def usage(self):
        return self.session.close()


def ending(backend, source, requires=(), **limits):
    """The usage of a session in which `f()` was called; it need not come back."""
    opened = Opened(backend, source, requires, **limits)
    try:
        if not opened.fault:
            opened.sub.f()
    except (SessionEnded, Exception):
        pass
    return opened.usage()
