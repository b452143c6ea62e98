"""Which call a check is making, told to the page before it is made: nobody can ask a worker that hangs.

Writing a call as text takes twice as long as making it, so short ones are sent as they are and written when they are needed.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from practice.kernel import calls
from practice.kernel.remote import Link
from practice.kernel.text import clean

CALLS = 30
"""So many of each check are told whatever it takes, about a millisecond; nine checks of ten make no more."""
SHARE = 0.02
"""Part of a check's time that telling may take beyond those, so that slow calls are told however many they are."""
SHORT = 8192
"""Bytes of frames that are sent as they are; of a longer call the text is shorter."""


class Telling:
    """Posts {"call"} before a call; None in it where an earlier one was told and there is no time to tell this one."""

    def __init__(self, post: Callable[[Any], None]) -> None:
        self._post = post
        self._began = perf_counter()
        self._spent = 0.0
        self._calls = 0
        self._is_told = False

    def __call__(self, link: Link) -> None:
        now = perf_counter()
        self._calls += 1
        may_tell = self._calls <= CALLS or self._spent < SHARE * (now - self._began)
        if may_tell or self._is_told:
            self._is_told = may_tell
            self._post({"call": _packed(link) if may_tell else None})
            self._spent += perf_counter() - now


def written(call: Any) -> str:
    """The calls that were told, as the shell writes them; "" where none was."""
    if type(call) is not dict:
        return clean(call or "", 2000)
    try:
        link = Link(None)
        *pairs, asked = (frame.encode("latin-1") for frame in call["frames"])
        link.last, link.asked = list(zip(pairs[::2], pairs[1::2], strict=True)), asked
        link.classes = {int(number): name for number, name in call["classes"].items()}
    except Exception:  # the submission shared the interpreter that told it
        return ""
    return _text(link)


def _packed(link: Link) -> Any:
    frames = [frame for pair in link.last[-2:] for frame in pair] + [link.asked]
    if sum(map(len, frames)) > SHORT:
        return _text(link)
    return {"frames": [frame.decode("latin-1") for frame in frames], "classes": link.classes}


def _text(link: Link) -> str:
    try:
        return "; ".join(calls.last_calls(link))
    except Exception:  # a record that cannot be read back is not worth a verdict
        return ""
