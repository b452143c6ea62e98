"""Submissions over every transport, and whole exercises made of a checks text."""

import pytest

from practice.kernel.exercise import Exercise, KnownWrong, Limits
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.remote import Link, Submission

TRANSPORTS = ("loopback", "pipe")


@pytest.fixture(scope="session", params=TRANSPORTS)
def backend(request):
    """Each backend in turn: what holds for one transport holds for the other."""
    if request.param == "loopback":
        yield LoopbackBackend()
        return
    runner = pytest.importorskip("practice.runner.backend", reason="no pipe on this platform")
    with runner.PipeBackend() as pipe:
        yield pipe


@pytest.fixture
def submit(backend):
    """submit(source) loads a submission and gives its `sub`; all sessions end with the test."""
    sessions = []

    def start(source: str, requires: tuple[str, ...] = ()) -> Submission:
        session = backend.open(exercise(requires=requires), source.encode())
        sessions.append(session)
        link = Link(session.transport)
        assert link.load(source.encode()) is None
        return Submission(link)

    yield start
    for session in sessions:
        session.close()


def exercise(
    checks: str = "", solution: str = "", wrong: dict[str, str] | None = None, entry: tuple[str, ...] = (),
    requires: tuple[str, ...] = (), limits: Limits | None = None,
) -> Exercise:  # fmt: skip
    """An exercise made of its checks; `wrong` maps a known-wrong file's name to its text."""
    known = tuple(KnownWrong(name, text, "", "", f"This is {name}.") for name, text in (wrong or {}).items())
    return Exercise(
        200, "blocks", "Blocks", "kv-cache", "easy", 10, entry, checks,
        solution=solution, wrong=known, requires=requires, limits=limits or Limits(),
    )  # fmt: skip
