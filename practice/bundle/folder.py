"""The folder outside the checkout that keeps what was fetched and what took long to make."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """The folder, made if absent: PRACTICE_CACHE, else `inference-practice` in the user's cache folder."""
    named = os.environ.get("PRACTICE_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(named) if named else Path(base) / "inference-practice"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path: Path, data: bytes) -> None:
    """Writes whole or not at all, so that a second process never reads half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def download_wheel(requirement: str, folder: Path) -> None:
    """Lets pip download one wheel without what it depends on. Raises subprocess.SubprocessError or OSError."""
    run([sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "-q", "-d", str(folder), requirement], folder)


def run(command: list[str], folder: Path) -> None:
    """Runs a command in a folder, quietly. Raises subprocess.SubprocessError or OSError when it fails."""
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300, text=True)
