"""Our own archive for the browser: kernel, simulator and the code that answers the page, with dates that never change."""

import io
import zipfile
from pathlib import Path

PACKAGES = ("kernel", "sim", "bundle/inside")
"""Folders of practice/ that the browser gets, and nothing else of it."""
SINGLE = ("__init__.py", "bundle/__init__.py")
SELDOM = tuple(
    f"practice/sim/{name}"
    for name in "arrivals calibration confidence growth itl lengths measurement occupancy plot realistic samples service trace".split()
)
"""Modules of the simulator that no default setting needs; these travel as text (see compiled.Job.as_source)."""
DATE = (1980, 1, 1, 0, 0, 0)


def sources(practice: Path) -> dict[str, bytes]:
    """Path in the archive to bytes: every module, the root's short name `sim`, and the simulator's samples."""
    found = {f"practice/{name}": (practice / name).read_bytes() for name in SINGLE}
    for package in PACKAGES:
        for path in sorted((practice / package).rglob("*")):
            inner = path.relative_to(practice).as_posix()
            if path.is_file() and "__pycache__" not in inner and path.suffix in (".py", ".json", ".csv", ".toml"):
                found[f"practice/{inner}"] = path.read_bytes()
    found["sim.py"] = _short_name(practice)
    return found


def to_zip(files: dict[str, bytes]) -> bytes:
    """A stored zip whose bytes depend on names and contents alone."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DATE), files[name])
    return packed.getvalue()


def _short_name(practice: Path) -> bytes:
    beside = practice.parent / "sim.py"  # in a checkout, and beside the package where it is installed
    return beside.read_bytes()
