"""The first run: a private environment in .venv with the pinned packages, then the same command in there.

What is in .venv beside Python's own:
    practice-lock    held while one process builds; made first, so its being there says that the environment is ours
    practice-done    written last: what was installed, so that a killed set-up is seen and mended
    (both ours; an environment without the first was made by someone else and is never emptied)
Standard library only, because this runs where nothing is installed.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from practice.cli.needs import missing

HEAD = "practice: "
OFFLINE = ("NewConnectionError", "ConnectionError", "Name or service not known", "Temporary failure", "ReadTimeout")
"""Words of pip's that mean no network."""
OWN_SETTINGS = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
LOCK, DONE = "practice-lock", "practice-done"
REENTERED = "PRACTICE_REENTERED"
"""Set for the re-executed command, so that an environment that still lacks something is reported and not built for ever."""


class SetupFailed(Exception):
    """The environment could not be made; the message says why and what to do."""


def enter(packages: Mapping[str, str], root: str, lists: Sequence[str] = ("requirements.txt",)) -> None:
    """Runs the present command again in the checkout's own environment, which is made or mended first. Does not return.

    packages: what the command needs, distribution to module. root: the checkout. lists: the requirement files that pin it.
    Leaves with exit code 2 and a clear sentence where it cannot.
    """
    absent = missing(packages)
    folder = Path(root) / ".venv"
    files = [Path(root) / name for name in lists]
    if os.environ.get("PRACTICE_NO_SETUP"):
        _leave(f"{_names(absent)} {_are(absent)} missing, and PRACTICE_NO_SETUP is set, so nothing was installed", _by_hand(folder, files))
    if os.environ.get(REENTERED):
        _leave(f"{_names(absent)} {_are(absent)} still missing after the set-up", f"remove {folder} and run the command again")
    try:
        python = prepare(folder, files, packages)
    except SetupFailed as error:
        _leave(str(error), _by_hand(folder, files))
    _again(python)


def prepare(folder: Path, files: Sequence[Path], packages: Mapping[str, str]) -> Path:
    """The Python of an environment in which these requirement files are installed; makes or mends it where needed.

    Several processes may do this at once: one builds, the others wait for it. Raises SetupFailed.
    """
    python = _python_of(folder)
    wanted = _marks(files)
    if wanted <= _done(folder):
        return python
    if (folder / "pyvenv.cfg").exists() and not (folder / LOCK).exists():
        return _fill_foreign(folder, files, packages)
    try:
        folder.mkdir(exist_ok=True)
        with _lock(folder / LOCK) as held:
            # Another process may have finished while this one waited.
            if not wanted <= _done(folder):
                absent = missing(packages)
                _say(f"{_names(absent)} {_are(absent)} missing here; installing into {_near(folder)}, once (about a minute)")
                _build(folder, files, wanted, held)
    except OSError as error:
        raise SetupFailed(f"{_near(folder)} cannot be written: {error.strerror or error}") from None
    return python


def _marks(files: Sequence[Path]) -> set[str]:
    """One line for each requirement file: its name, and a digest of what it says."""
    return {f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in files}


def _done(folder: Path) -> set[str]:
    """What was installed here to the end; nothing where the environment's Python is gone."""
    try:
        lines = (folder / DONE).read_text("utf-8").splitlines()
    except OSError:
        return set()
    return set(lines) if _python_of(folder).exists() else set()


def _fill_foreign(folder: Path, files: Sequence[Path], packages: Mapping[str, str]) -> Path:
    """An environment someone else made here is used, and filled where packages are missing, but never emptied."""
    python = _python_of(folder)
    modules = tuple(packages.values())
    if _runs(python, "-c", f"import importlib.util as u, sys; sys.exit(any(u.find_spec(m) is None for m in {modules!r}))"):
        return python
    if not _runs(python, "-c", ""):
        raise SetupFailed(f"{_near(folder)} was not made by this program, and its Python does not run")
    _say(f"installing what is missing into your {_near(folder)}, once")
    _install(python, files)
    return python


def _build(folder: Path, files: Sequence[Path], wanted: set[str], held: int) -> None:
    """Installs into the environment if it is whole, else makes it anew: what a killed pip left may look installed.

    held: the lock's descriptor, handed to the programs that write, so that one that outlives a killed set-up still holds it.
    """
    python, done = _python_of(folder), _done(folder)
    if not done or not _runs(python, "-c", ""):
        done = set()
        _empty(folder)
        _make_environment(folder, held)
    (folder / DONE).unlink(missing_ok=True)
    _install(python, files, held)
    kept = {mark for mark in done if mark.split()[0] not in {file.name for file in files}}
    (folder / DONE).write_text("\n".join(sorted(kept | wanted)) + "\n", "utf-8")


def _make_environment(folder: Path, held: int) -> None:
    """`python -m venv`, without pip where this Python has no ensurepip but a pip of its own."""
    if not _runs(sys.executable, "-c", "import venv"):
        raise SetupFailed(f"this Python has no venv module{_debian()}")
    has_ensurepip = _runs(sys.executable, "-c", "import ensurepip")
    if not has_ensurepip and not _runs(*_pip(sys.executable), "--version"):
        raise SetupFailed(f"this Python has neither ensurepip nor pip, so no environment can be made{_debian()}")
    options = [] if has_ensurepip else ["--without-pip"]
    code, output = _run([sys.executable, "-m", "venv", *options, str(folder)], held)
    if code:
        raise SetupFailed(f"`python -m venv {_near(folder)}` failed; it says: {_last_line(output)}{_debian()}")


def _debian() -> str:
    """The sentence for Debian and its relatives, which ship venv's other half as a package of its own."""
    if not Path("/etc/debian_version").exists():
        return ""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"; on Debian and Ubuntu `sudo apt install python{version}-venv` brings it"


def _install(python: Path, files: Sequence[Path], held: int | None = None) -> None:
    """The pinned packages, by the environment's pip, or where it has none by this Python's, which can install into another."""
    pip = _pip(python) if _runs(*_pip(python), "--version") else [*_pip(sys.executable), "--python", str(python)]
    command = [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input", "--only-binary", ":all:", "--retries", "2"]
    for file in files:
        command += ["--requirement", str(file)]
    code, output = _run(command, held)
    if code:
        reason = _last_line(output)
        if any(words in output for words in OFFLINE):
            raise SetupFailed(f"the packages could not be downloaded; is this machine online? pip says: {reason}")
        raise SetupFailed(f"pip could not install the packages; it says: {reason}")


def _pip(python: Path | str) -> list[str]:
    return [str(python), "-m", "pip"]


def _run(command: Sequence[str], held: int | None = None) -> tuple[int, str]:
    """Exit code and everything said. Settings for the present interpreter must not reach the other one."""
    environment = {key: value for key, value in os.environ.items() if key not in OWN_SETTINGS}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            pass_fds=() if held is None or os.name == "nt" else (held,),
        )
    except OSError as error:
        return 127, str(error)
    return done.returncode, done.stderr + done.stdout


def _runs(*command: object) -> bool:
    return _run([str(word) for word in command])[0] == 0


def _empty(folder: Path) -> None:
    """Removes what a killed set-up left. Only called under the lock, for a folder that is ours."""
    import shutil

    for path in folder.iterdir():
        if path.name == LOCK:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


@contextmanager
def _lock(path: Path) -> Iterator[int]:
    """Holds the file for this process alone and gives its descriptor; the system takes it back even from a killed process."""
    with path.open("a+b") as file:
        if not _try_lock(file.fileno()):
            _say("another first run is installing; waiting for it")
            _wait_lock(file.fileno())
        yield file.fileno()


def _try_lock(descriptor: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _wait_lock(descriptor: int) -> None:
    if os.name == "nt":
        import time

        while not _try_lock(descriptor):
            time.sleep(0.2)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _again(python: Path) -> None:
    """The present command line in the other Python."""
    from practice.cli.calling import called

    environment = {**os.environ, REENTERED: "1", "PRACTICE_CALLED": called()}
    command = [str(python), *sys.orig_argv[1:]]
    if os.name == "nt":
        # exec on Windows returns to the shell before the new process ends.
        sys.exit(subprocess.run(command, env=environment).returncode)
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def _python_of(folder: Path) -> Path:
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def _by_hand(folder: Path, files: Sequence[Path]) -> str:
    python = os.path.basename(sys.executable) or "python3"
    lists = " ".join(f"-r {_near(file)}" for file in files)
    script = _near(Path(sys.argv[0]).resolve()) if sys.argv[0].endswith(".py") else "judge.py"
    rest = " ".join([script, *sys.argv[1:]])
    own = _near(_python_of(folder))
    return f"by hand it is\n    {python} -m venv {_near(folder)}\n    {own} -m pip install {lists}\n    {own} {rest}"


def _near(path: Path) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return str(path)
    return str(path) if relative.startswith(os.pardir) else relative


def _names(names: Sequence[str]) -> str:
    if len(names) > 3:
        return ", ".join(names[:2]) + f" and {len(names) - 2} more packages"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("WARNING")]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["nothing"])[-1].removeprefix("ERROR: ")


def _say(text: str) -> None:
    print(HEAD + text, file=sys.stderr, flush=True)


def _leave(text: str, hint: str) -> None:
    print(f"{text}\n\nhint: {hint}", file=sys.stderr)
    sys.exit(2)
