"""The site's own files: styles, scripts and pictures under one folder named after their content."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("static", "app")
"""Folders of site/ that are served as they are; `app` keeps its name below, `static` is the folder itself."""


@dataclass(frozen=True)
class Assets:
    folder: str
    """`static/1a2b3c4d`: pages never mix files of two versions, and relative imports between files keep working."""
    files: dict[str, Path]
    """Path below the folder to the file on disk."""

    def path(self, name: str) -> str:
        """Path of a file from the site's root. Raises KeyError for a file that does not exist."""
        if name not in self.files:
            raise KeyError(f"there is no file {name} in site/static or site/app")
        return f"{self.folder}/{name}"


def read_assets(site_folder: Path) -> Assets:
    files = {}
    for name in FOLDERS:
        base = site_folder / name
        for path in sorted(base.rglob("*")) if base.is_dir() else ():
            if path.is_file() and not any(part.startswith(".") for part in path.relative_to(base).parts):
                inner = path.relative_to(base).as_posix()
                files[inner if name == "static" else f"{name}/{inner}"] = path
    total = hashlib.sha256()
    for name, path in sorted(files.items()):
        total.update(name.encode() + b"\0" + path.read_bytes())
    return Assets(f"static/{total.hexdigest()[:10]}", files)
