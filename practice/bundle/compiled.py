"""Compiled archives, made inside Pyodide under Node and kept in the cache under a hash of all that went in."""

import hashlib
import json
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from practice.bundle import modules
from practice.bundle.fetch import Fetcher
from practice.bundle.folder import cache_folder, write_whole
from practice.bundle.node import find_node
from practice.bundle.source import Runtime

SCRIPTS = ("freeze.py", "freeze.mjs")
NUMPY_SKIP = tuple(
    """
    /tests/ /f2py/ /distutils/ /include/ /conftest.py /pkg-config/ /_pyinstaller/ /_examples/ dist-info/RECORD dist-info/entry_points
    /_simd. /_umath_tests /_rational_tests /_struct_ufunc_tests /_operand_flag_tests /lapack_lite. /timer_comparison
    .pyi| .pxd| .pyx| .a| .h| .c| .template| .typed|
    """.split()
)
"""Parts of numpy's wheel that only its own tests, or compilers, look at; `|` stands for the end of a name."""


@dataclass(frozen=True)
class Job:
    """One archive to compile."""

    source: str
    """The path of a zip of sources, or "stdlib" for the runtime's own."""
    optimize: int
    """Python's level: 1 leaves out asserts, 2 docstrings as well."""
    lines: bool = True
    """Whether tracebacks know the line in a file, or only where its function begins."""
    at: str = ""
    """What code objects say their files lie under."""
    roots: tuple[str, ...] = ()
    """Modules to start from; empty takes every file but those with a part of `skip`."""
    dropped: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    as_source: tuple[str, ...] = ()
    """Beginnings of names that stay text: half the bytes, and a tenth of a second for whoever imports them."""

    def spec(self) -> dict[str, Any]:
        fields = asdict(self)
        if not self.roots:
            del fields["roots"], fields["dropped"]
        return fields


def stdlib_job() -> Job:
    """The standard library, pruned, without docstrings and lines: 0.67 MB of brotli instead of 2.3."""
    return Job("stdlib", 2, lines=False, roots=(*modules.WANTED, *modules.INSIDE, *modules.LATE), dropped=modules.DROPPED)


def numpy_job(wheel: Path) -> Job:
    """numpy without what only its tests need. Docstrings stay: numpy moves some of them at import."""
    return Job(str(wheel), 1, lines=False, at="/lib/numpy/", skip=NUMPY_SKIP)


def compile_all(runtime: Runtime, jobs: list[Job], fetcher: Fetcher) -> list[bytes]:
    """The archives of the jobs, in order; what the cache has is not made again.

    Raises PracticeError when a file of the runtime or Node cannot be had.
    """
    kept = [cache_folder() / "compiled" / f"{_key(runtime, job)}.zip" for job in jobs]
    missing = [(job, path) for job, path in zip(jobs, kept, strict=True) if not path.is_file()]
    if missing:
        _compile(runtime, missing, fetcher)
    return [path.read_bytes() for path in kept]


def _compile(runtime: Runtime, jobs: list[tuple[Job, Path]], fetcher: Fetcher) -> None:
    node = find_node()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in runtime.files:
            (folder / source.name).write_bytes(fetcher.path(source).read_bytes())
        (folder / "pyodide-lock.json").write_text(empty_lock(runtime))
        results = [folder / f"{number}.zip" for number in range(len(jobs))]
        specs = [{**job.spec(), "result": str(result)} for (job, _), result in zip(jobs, results, strict=True)]
        (folder / "jobs.json").write_text(json.dumps(specs))
        script = Path(__file__).with_name("freeze.mjs")
        done = subprocess.run([node, str(script), str(folder), str(folder / "jobs.json")], check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"compiling inside Pyodide {runtime.version} failed:\n{done.stderr or done.stdout}")
        for (_, path), result in zip(jobs, results, strict=True):
            write_whole(path, result.read_bytes())


def empty_lock(runtime: Runtime) -> str:
    """A lock file without packages: ours are put in place by the loader, and nothing may be fetched by name."""
    info = {"abi_version": runtime.abi, "arch": "wasm32", "platform": "emscripten", "python": runtime.python, "version": runtime.version}
    return json.dumps({"info": info, "packages": {}})


def _key(runtime: Runtime, job: Job) -> str:
    digest = hashlib.sha256()
    for script in SCRIPTS:
        digest.update(Path(__file__).with_name(script).read_bytes())
    source = runtime.stdlib.sha256 if job.source == "stdlib" else hashlib.sha256(Path(job.source).read_bytes()).hexdigest()
    fields = {**job.spec(), "source": source, "runtime": [file.sha256 for file in runtime.files]}
    digest.update(json.dumps(fields, sort_keys=True).encode())
    return digest.hexdigest()
