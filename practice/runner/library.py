"""What a submission may import: which modules are loaded before it, and which files it may read.

The standard library always; numpy and the simulator where the exercise requires them; nothing else of this machine.
"""

import importlib
import os
import re
import sys
from collections.abc import Iterable

SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime",
          "/usr/share/zoneinfo", "/dev/urandom", "/dev/zero")  # fmt: skip
"""Shared libraries of the system, which modules of the standard library load when they are imported; time zones."""
DEVICES = ("/dev/null",)
"""May be written, too."""
WARM = ("abc", "array", "asyncio", "bisect", "collections", "concurrent.futures", "contextlib", "copy", "dataclasses", "datetime",
        "decimal", "enum", "fractions", "functools", "hashlib", "heapq", "inspect", "itertools", "json", "math", "operator", "queue",
        "random", "re", "statistics", "string", "struct", "threading", "time", "traceback", "typing", "weakref")  # fmt: skip
"""Loaded before the fork when a submission's text names them, so that not every check pays for the import."""


def load_required(requires: Iterable[str], root: str, packages: Iterable[str]) -> None:
    """Import what the exercise requires, and leave sys.path as short as it was.

    root: the folder that holds practice/ and sim.py. packages: the judge's own sys.path, where numpy is looked for.
    Raises ImportError.
    """
    before = list(sys.path)
    sys.path += [root, *packages]
    try:
        for name in requires:
            if name in ("numpy", "sim"):
                importlib.import_module(name)
    finally:
        sys.path[:] = before
        sys.path_importer_cache.clear()


def warm(names: Iterable[str]) -> None:
    """Import the modules of WARM among `names`."""
    for name in names:
        if name in WARM and name not in sys.modules:
            importlib.import_module(name)
            if name == "asyncio":
                importlib.import_module("practice.kernel.eventloop")


def named_modules(text: bytes) -> list[str]:
    """The modules of WARM that the import lines of a text mention; it is not parsed, because it may be hostile."""
    words = set(re.findall(rb"[\w.]+", b" ".join(re.findall(rb"^[ \t]*(?:import|from)[ \t][^\n]{1,200}", text, re.MULTILINE))))
    return [name for name in WARM if name.encode() in words]


def readable_paths(requires: Iterable[str], root: str) -> list[str]:
    """The files and folders a submission may read."""
    paths = [path for path in sys.path if os.path.isabs(path) and path != root]
    paths.append(os.path.join(root, "practice", "kernel"))  # imports its event loop late
    paths += [path for path in SYSTEM if not _holds(path, root)]
    libraries = os.path.join(sys.base_prefix, "lib")
    if os.path.isdir(libraries):
        paths += [entry.path for entry in os.scandir(libraries) if entry.name.startswith("lib") and ".so" in entry.name]
    if "sim" in requires:
        paths += [os.path.join(root, "sim.py"), os.path.join(root, "practice", "sim")]
    if "numpy" in requires:
        paths += [folder for folder in _numpy_folders() if os.path.isdir(folder)]
    return paths


def _numpy_folders() -> list[str]:
    folder = os.path.dirname(os.path.abspath(sys.modules["numpy"].__file__))
    return [folder, folder + ".libs"]


def _holds(folder: str, path: str) -> bool:
    return os.path.commonpath([os.path.realpath(folder), os.path.realpath(path)]) == os.path.realpath(folder)
