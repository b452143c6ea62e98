"""The calls a verdict shows: as the learner would type them, and which one the session ended in."""

import pytest

from practice.kernel.calls import last_calls
from practice.kernel.failure import SessionEnded
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.remote import Link, Submission

SOURCE = b"""
class Pool:
    def take(self, n):
        return n

    def each(self, function):
        return function(1)

def hang(x):
    pass
"""


class Ending:
    """A transport whose other side goes away when a frame holds a given word."""

    def __init__(self, session, word):
        self._session, self._word = session, word

    def exchange(self, frame, on_callback):
        if self._word in frame:
            raise SessionEnded
        return self._session.exchange(frame, on_callback)


@pytest.fixture
def opened():
    sessions = []

    def start(word):
        sessions.append(LoopbackBackend().open(_Exercise, SOURCE))
        link = Link(Ending(sessions[-1], word))
        assert link.load(SOURCE) is None
        return link, Submission(link)

    yield start
    for session in sessions:
        session.close()


class _Exercise:
    class limits:
        output = 1000


def test_the_call_that_never_came_back_is_the_last_and_says_so(opened):
    link, sub = opened(b"never")
    pool = sub.Pool()
    pool.take(1)
    pool.take(2)
    with pytest.raises(SessionEnded):
        pool.take("never")
    assert last_calls(link) == ["pool.take(1)", "pool.take(2)", "pool.take('never')  # did not return"]


def test_the_first_call_can_be_the_one(opened):
    link, sub = opened(b"never")
    with pytest.raises(SessionEnded):
        sub.hang("never")
    assert last_calls(link) == ["hang('never')  # did not return"]


def test_of_calls_within_a_call_the_inner_one_is_shown_and_nothing_that_comes_later(opened):
    link, sub = opened(b"never")
    pool = sub.Pool()
    with pytest.raises(SessionEnded):
        try:
            pool.each(lambda n: sub.hang("never"))
        finally:
            pool.take("never again")
    assert last_calls(link)[-1] == "hang('never')  # did not return"


def test_a_call_within_a_call_that_came_back_is_not_marked(opened):
    link, sub = opened(b"never")
    pool = sub.Pool()
    assert pool.each(lambda n: pool.take(n)) == 1
    assert last_calls(link)[-1] == "pool.each(<function>)" and link.asked is None
