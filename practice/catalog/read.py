"""One exercise folder to one Exercise, or to everything that is wrong with the folder's form."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from practice.catalog.fault import Fault
from practice.catalog.field import FIELDS, KNOWN_WRONG, LIMITS, faults_in
from practice.kernel.errors import BrokenExercise
from practice.kernel.exercise import Exercise, KnownWrong, Limits

TEXTS = ("prompt.md", "starter.py", "solution.py", "checks.py", "hints.md", "after.md")
"""The files every exercise has, beside exercise.toml."""
FOLDERS = {"wrong": ".py", "accepted": ".py", "figures": ".svg"}
"""The folders an exercise may have, with what the files in each end with."""


def read_exercise(folder: Path) -> Exercise:
    """The exercise in this folder.

    Raises BrokenExercise with the first fault that keeps it from being judged, and how many more there are.
    """
    exercise, faults = inspect(folder)
    if exercise is not None:
        return exercise
    fatal = [fault for fault in faults if fault.fatal]
    more = f" (and {len(fatal) - 1} more)" if len(fatal) > 1 else ""
    where = f"exercises/{folder.name}/{fatal[0].file}".rstrip("/")
    raise BrokenExercise(f"{where}: {fatal[0].message}{more}", fatal[0].hint or f"`judge.py check {folder.name}` shows everything")


def inspect(folder: Path) -> tuple[Exercise | None, list[Fault]]:
    """The exercise in this folder, None when it cannot be judged, and everything wrong with the folder's form."""
    table, faults = read_table(folder)
    if table:
        faults += faults_in(table, FIELDS)
        faults += faults_in(_table(table, "limits"), LIMITS, "limits.")
        for name, claim in _table(table, "wrong").items():
            if isinstance(claim, dict):
                faults += faults_in(claim, KNOWN_WRONG, f"wrong.{name}.")
            else:
                key = f"wrong.{name}"
                faults.append(Fault("exercise.toml", f"`{key}` is not a table", f"write `[{key}]`", key, fatal=True))
    texts = {}
    for name in TEXTS:
        texts[name] = _text(folder, name, faults)
    sources = read_sources(folder, "wrong", faults)
    faults += _claims_without_file(_table(table, "wrong"), sources)
    faults += _unknown_files(folder)
    if any(fault.fatal for fault in faults):
        return None, faults
    return _exercise(table, texts, sources), faults


def read_table(folder: Path) -> tuple[dict[str, Any], list[Fault]]:
    """exercise.toml as it stands, with a fault when it cannot be read."""
    try:
        return tomllib.loads((folder / "exercise.toml").read_text("utf-8")), []
    except FileNotFoundError:
        return {}, [Fault("exercise.toml", "the file is missing", "`judge.py new` makes a whole folder to start from", fatal=True)]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return {}, [Fault("exercise.toml", f"not TOML: {error}", fatal=True)]


def read_head(folder: Path) -> dict[str, Any]:
    """The keys of exercise.toml before its first table, {} when they cannot be read.

    The tables are four fifths of the text, and a list of all exercises needs none of them.
    """
    try:
        text = (folder / "exercise.toml").read_text("utf-8")
        return tomllib.loads(text.partition("\n[")[0])
    except tomllib.TOMLDecodeError:  # perhaps it was no table that began there
        return read_table(folder)[0]
    except (OSError, UnicodeDecodeError):
        return {}


def read_sources(folder: Path, kind: str, faults: list[Fault] | None = None) -> dict[str, str]:
    """The Python files of `wrong/` or `accepted/`: stem to text, by name."""
    found = {}
    for path in sorted((folder / kind).glob("*.py")):
        found[path.stem] = _text(folder, f"{kind}/{path.name}", [] if faults is None else faults)
    return found


def split_hints(text: str) -> tuple[str, ...]:
    """The hints of hints.md: what stands under each `## ` heading."""
    sections = ("\n" + text.replace("\r\n", "\n")).split("\n## ")[1:]
    return tuple(section.partition("\n")[2].strip() for section in sections)


def _text(folder: Path, name: str, faults: list[Fault]) -> str:
    try:
        return (folder / name).read_text("utf-8")
    except FileNotFoundError:
        faults.append(Fault(name, "the file is missing", fatal=True))
    except UnicodeDecodeError as error:
        faults.append(Fault(name, f"not UTF-8 text: byte {error.start} cannot be read", "save the file as UTF-8", fatal=True))
    return ""


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    return value if isinstance(value, dict) else {}


def _claims_without_file(claims: Mapping[str, Any], sources: Mapping[str, str]) -> list[Fault]:
    faults = []
    for name in claims.keys() - sources.keys():
        text = f"`wrong.{name}` has no file wrong/{name}.py"
        faults.append(Fault("exercise.toml", text, "write the file, or remove the table", f"wrong.{name}", fatal=True))
    for name in sources.keys() - claims.keys():
        text = f"exercise.toml has no `[wrong.{name}]` that says how it fails"
        faults.append(Fault(f"wrong/{name}.py", text, f"add `[wrong.{name}]` with `fails` and `says`"))
    return sorted(faults, key=lambda fault: (fault.file, fault.key))


def _unknown_files(folder: Path) -> list[Fault]:
    if not folder.is_dir():
        return []
    faults = []
    known = {"exercise.toml", *TEXTS}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir() or "__pycache__" in name.parts or name.name.startswith("."):
            continue
        if len(name.parts) == 1 and name.name in known:
            continue
        if len(name.parts) == 2 and FOLDERS.get(name.parts[0]) == path.suffix:
            continue
        text = "a file that no exercise has; known are exercise.toml, " + ", ".join(TEXTS) + ", wrong/*.py, accepted/*.py and figures/*.svg"
        faults.append(Fault(name.as_posix(), text, "remove or rename it"))
    return faults


def _exercise(table: Mapping[str, Any], texts: Mapping[str, str], sources: Mapping[str, str]) -> Exercise:
    claims = _table(table, "wrong")
    wrong = tuple(
        KnownWrong(name, sources[name], claim["fails"], claim["says"], claim.get("idea", "")) for name, claim in claims.items()
    )
    limits = _table(table, "limits")
    default = Limits()
    return Exercise(
        number=table["number"],
        slug=table["slug"],
        title=table["title"],
        topic=table["topic"],
        level=table["level"],
        minutes=table["minutes"],
        entry=tuple(table["entry"]),
        checks=texts["checks.py"],
        prompt=texts["prompt.md"],
        starter=texts["starter.py"],
        solution=texts["solution.py"],
        hints=split_hints(texts["hints.md"]),
        after=texts["after.md"],
        wrong=wrong,
        limits=Limits(
            seconds=float(limits.get("seconds", default.seconds)),
            memory=int(limits["memory_mib"] * 2**20) if "memory_mib" in limits else default.memory,
            output=int(limits["output_kib"] * 2**10) if "output_kib" in limits else default.output,
        ),
        requires=tuple(table.get("requires", ())),
        chapter=table.get("chapter", ""),
        needs=tuple(table.get("needs", ())),
        next=table.get("next"),
        sources=tuple(table.get("sources", ())),
    )
