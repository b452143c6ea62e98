"""The one way into the browser's Python: a verb and a JSON text in, a JSON text out.

    judge     a request of practice.kernel.door         a verdict; meanwhile {"limit", "names"}, {"phase"}, {"call"} and {"result"} (see judged.py)
    ended     what is known of a worker that was ended  the verdict for it
    syntax    {"source"}                                null or where Python's own parser stopped
    complete  {"source", "line", "column"}              names that fit there
    play      {"source"}                                {"error", "figures"}; meanwhile {"output"}
    lab       the controls of the capacity lab          curves; meanwhile {"point"}
"""

import gc
import json
import random
import sys
from collections.abc import Callable
from typing import Any

from practice.bundle.inside import judged, syntax
from practice.kernel import arrays, asserts, compare, door, expect  # noqa: F401  here so that a memory snapshot holds them


def enter(has_numpy: bool) -> Callable[[str, str, Callable[[str], None]], str]:
    """Makes Python ready after a boot and gives the door. has_numpy: its archive lies at /tmp/numpy.zip."""
    random.seed()  # a memory snapshot would give everyone the same numbers
    if has_numpy:
        _add_numpy()
    gc.freeze()  # a submission that collects garbage need not look through the judge and numpy each time
    return handle


def handle(verb: str, text: str, post: Callable[[str], None]) -> str:
    """Answers one question. `post` gets JSON texts to be shown before the answer is there."""
    answer = _verbs()[verb](json.loads(text), lambda value: post(json.dumps(value)))
    return json.dumps(answer)


def _verbs() -> dict[str, Callable[[Any, Callable[[Any], None]], Any]]:
    return {"judge": judged.judge, "ended": judged.ended, "syntax": syntax.syntax, "complete": _complete, "play": _play, "lab": _lab}


def _complete(question: Any, post: Callable[[Any], None]) -> Any:
    from practice.bundle.inside.completion import complete

    return complete(question, post)


def _play(question: Any, post: Callable[[Any], None]) -> Any:
    from practice.bundle.inside.playground import play

    return play(question, post)


def _lab(question: Any, post: Callable[[Any], None]) -> Any:
    from practice.bundle.inside.lab import lab

    return lab(question, post)


def _add_numpy() -> None:
    import os
    import zipfile

    with zipfile.ZipFile("/tmp/numpy.zip") as archive:
        archive.extractall("/lib/numpy")
    os.remove("/tmp/numpy.zip")
    sys.path.insert(1, "/lib/numpy")
    import numpy  # noqa: F401  so that the first check does not pay for it
