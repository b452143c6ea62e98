"""Makes everything the browser downloads, as files in memory: the caller writes them where it likes."""

import base64
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from practice.bundle.archive import SELDOM, sources, to_zip
from practice.bundle.compiled import Job, compile_all, empty_lock, numpy_job, stdlib_job
from practice.bundle.fetch import Fetcher
from practice.bundle.source import DEFAULT, RUNTIMES, Runtime
from practice.kernel.door import exercise_to_json
from practice.kernel.errors import PracticeError
from practice.kernel.exercise import Exercise

PLACE = "py/"
"""Where the files lie below the site's root."""
NOT_IN_BROWSER = frozenset({"processes"})
"""What an exercise may require that no browser has."""
POLICY = {"script-src": ("blob:", "'wasm-unsafe-eval'"), "worker-src": ("blob:",)}
"""What a page with the judge allows beside its own files: the sandboxed frame inherits the page's policy, then takes the rest away."""


@dataclass(frozen=True)
class Bundle:
    """What the browser downloads, and what a page must know of it."""

    files: dict[str, bytes]
    """Path below the site's root to bytes; every name carries a hash of its content."""
    manifest: str
    """The path of the manifest, which names all the others."""
    core: tuple[str, ...]
    """Paths of what Python boots from on any page, for those that load it at once."""
    frame_hash: str
    """`'sha256-...'`: the frame's one script, for the page's policy."""
    exercises: dict[str, str]
    """Id to path of the exercises the browser can judge."""
    missing: tuple[str, ...] = ()
    """What could not be had, in words; those exercises show the shell command."""

    @property
    def policy(self) -> dict[str, tuple[str, ...]]:
        """Directive to sources that a page with the judge adds to its content-security policy."""
        return {**POLICY, "script-src": (*POLICY["script-src"], self.frame_hash)}


def make_bundle(root: Path, exercises: Iterable[Exercise], *, runtime: str = DEFAULT, say: Callable[[str], None] = lambda line: None) -> Bundle:
    """The bundle of a checkout: the same inputs give the same bytes on any machine.

    root: the checkout, for site/app/judge; say: called with a line for each thing that takes long.
    Raises PracticeError when Pyodide or Node cannot be had; numpy alone may be missing.
    """
    chosen, fetcher, missing = RUNTIMES[runtime], Fetcher(say=say), []
    try:
        wheel = numpy_wheel(chosen, fetcher)
    except PracticeError as error:
        wheel = None
        missing.append(error.message)
    stdlib, practice, *numpy = archives(chosen, fetcher, wheel)
    texts = {source.name: fetcher.path(source).read_bytes() for source in (chosen.loader, chosen.code, chosen.machine)}
    core = {
        "loader": _named(chosen.loader.name, texts[chosen.loader.name]),
        "code": _named(chosen.code.name, texts[chosen.code.name]),
        "machine": _named("pyodide.wasm", texts[chosen.machine.name]),
        # Archives are called .wasm because plain static hosts compress that type, and would send a .zip as it is.
        "stdlib": _named("stdlib.wasm", stdlib),
        "practice": _named("practice.wasm", practice),
        "lock": _named("lock.json", empty_lock(chosen).encode()),
        "worker": _named("worker.js", worker_script(root / "site/app/judge")),
    }
    extra = {"numpy": _named("numpy.wasm", numpy[0])} if numpy else {}
    judged = {e.id: _named(f"exercises/{e.id}.json", exercise_json(e)) for e in exercises if can_judge(e, bool(numpy))}
    frame, frame_hash = frame_document(root / "site/app/judge")
    manifest = {
        "runtime": {"version": chosen.version, "python": chosen.python},
        "core": _digest("".join(name for name, _ in core.values()).encode()),
        "frame": frame,
        "files": {key: name for key, (name, _) in {**core, **extra}.items()},
        "exercises": {id: name for id, (name, _) in judged.items()},
    }
    named = [*core.values(), *extra.values(), *judged.values(), _named("manifest.json", _to_json(manifest))]
    files = {PLACE + name: data for name, data in named}
    return Bundle(files, PLACE + named[-1][0], tuple(PLACE + name for name, _ in core.values()), frame_hash, {id: PLACE + name for id, (name, _) in judged.items()}, tuple(missing))


def can_judge(exercise: Exercise, has_numpy: bool) -> bool:
    """Whether a browser can judge it with this bundle."""
    needed = set(exercise.requires)
    return not needed & NOT_IN_BROWSER and (has_numpy or "numpy" not in needed)


def exercise_json(exercise: Exercise) -> bytes:
    """What the judge needs of an exercise; what the page shows anyway is left out."""
    fields = exercise_to_json(exercise)
    shown = {"prompt": "", "hints": (), "after": "", "sources": ()}
    return _to_json({**fields, **shown})


def worker_script(folder: Path) -> bytes:
    """interpreter.js and worker.js as one script: a worker without an origin cannot import the one from the other."""
    interpreter, worker = ((folder / name).read_text(encoding="utf-8") for name in ("interpreter.js", "worker.js"))
    own = re.sub(r"^import .*\n", "", worker, flags=re.MULTILINE)
    return (re.sub(r"^export ", "", interpreter, flags=re.MULTILINE) + own).encode()


def frame_document(folder: Path) -> tuple[str, str]:
    """The frame's document, and its script's hash as a policy writes it.

    Its own policy lets it start workers from text it was given, and nothing else: no address can be reached.
    """
    script = (folder / "frame.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}' blob: 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'"
    meta = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"<!doctype html><html lang=\"en\"><head>{meta}<title>Python</title></head><body><script>{script}</script></body></html>", f"'sha256-{digest}'"


def archives(runtime: Runtime, fetcher: Fetcher, wheel: Path | None) -> list[bytes]:
    """The compiled archives: standard library, ours, and numpy when its wheel is given."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "practice.zip"
        own.write_bytes(to_zip(sources(Path(__file__).resolve().parent.parent)))
        jobs = [stdlib_job(), Job(str(own), 0, at="/lib/practice.zip/", as_source=SELDOM)]
        return compile_all(runtime, [*jobs, numpy_job(wheel)] if wheel else jobs, fetcher)


def numpy_wheel(runtime: Runtime, fetcher: Fetcher) -> Path:
    """numpy for this Pyodide. Raises PracticeError when it cannot be had."""
    if runtime.numpy is None:
        raise PracticeError(f"there is no numpy for Pyodide {runtime.version}")
    return fetcher.path(runtime.numpy)


def _named(name: str, data: bytes) -> tuple[str, bytes]:
    stem, _, ending = name.rpartition(".")
    return f"{stem}.{_digest(data)}.{ending}", data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _to_json(value: Mapping) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
