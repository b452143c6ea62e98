"""The kernel's tests on every other Python from 3.11 on that this machine has, lent this one's pytest, which is pure Python."""

import functools
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

LENT = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments")
OWN = f"{sys.version_info.major}.{sys.version_info.minor}"


@functools.cache
def other_pythons():
    """Minor version to interpreter: those in PATH and those of a version manager, one of each."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 20)] + [shutil.which("python3")]
    found += sorted(map(str, Path.home().glob(".pyenv/versions/3.*/bin/python3")))
    code = "import sys; print('%d.%d' % sys.version_info[:2] if sys.version_info >= (3, 11) else '')"
    versions = {}
    for path in filter(None, found):
        done = subprocess.run([path, "-c", code], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.strip() not in ("", OWN):
            versions.setdefault(done.stdout.strip(), path)
    return versions


@pytest.mark.slow
def test_the_kernel_passes_on_every_other_python_here(root, tmp_path):
    if not other_pythons():
        pytest.skip(f"this machine has no Python from 3.11 on but {OWN}")
    for name in LENT:
        origin = Path(find_spec(name).origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        (tmp_path / source.name).symlink_to(source)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {key: value for key, value in environment.items() if not key.startswith("PYTEST_XDIST") and key != "PYTEST_ADDOPTS"}
    for version, python in other_pythons().items():
        command = [python, "-m", "pytest", "-x", "-p", "no:cacheprovider", "tests/kernel"]
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"Python {version}:\n{done.stdout[-3000:]}{done.stderr[-1000:]}"
        assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 50, version
