"""The one way into the browser's Python: a verb and a text in, a text out."""

import json
import random
import sys
from collections.abc import Callable

import practice.sim  # noqa: F401  here so that a memory snapshot holds it


def enter(has_numpy: bool) -> Callable[[str, str, Callable[[str], None]], str]:
    """Makes Python ready after a boot and gives the door. has_numpy: its archive lies at /tmp/numpy.zip."""
    random.seed()  # a memory snapshot would give everyone the same numbers
    if has_numpy:
        _add_numpy()
    return handle


def handle(verb: str, text: str, post: Callable[[str], None]) -> str:
    """Answers one question in JSON. `post` gets the texts to be shown before the answer is there."""
    return json.dumps({"ok": [verb, sys.version]})


def _add_numpy() -> None:
    import os
    import zipfile

    with zipfile.ZipFile("/tmp/numpy.zip") as archive:
        archive.extractall("/lib/numpy")
    os.remove("/tmp/numpy.zip")
    sys.path.insert(1, "/lib/numpy")
    import numpy  # noqa: F401  so that the first check does not pay for it
