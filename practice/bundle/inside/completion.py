"""Names that fit where the cursor is: keywords, builtins, the document's own names, members of imported modules.

jedi was tried: see docs/why.md for what it costs. This asks the modules themselves, and takes a few milliseconds.
"""

import builtins
import importlib
import keyword
import re
import sys
from typing import Any

MOST = 200
_CHAIN = re.compile(r"([A-Za-z_][\w.]*)?$")
_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+[\w\s,]*|import\s+([\w.]*))$")
_BOUND = re.compile(r"^\s*(?:import\s+([\w.]+)(?:\s+as\s+(\w+))?|from\s+([\w.]+)\s+import\s+(.+))$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
SAFE = frozenset(sys.stdlib_module_names) | {"sim", "numpy"}
"""Modules that may be imported to look at them; nothing of the document itself is ever run."""


def complete(question: dict[str, Any], _post: Any = None) -> dict[str, Any]:
    """{"start": column of what is being typed, "names": [{"name", "kind", "detail"}]}. line from 1, column from 0."""
    source, line, column = question["source"], question["line"], question["column"]
    before = source.split("\n")[line - 1][:column]
    imported = _IMPORT.match(before)
    if imported and imported[1]:
        prefix = re.search(r"\w*$", before)[0]
        return _answer(column, prefix, _members(_module(imported[1])))
    chain = _CHAIN.search(before)[0]
    owner, _, prefix = chain.rpartition(".")
    if owner:
        return _answer(column, prefix, _members(_resolve(owner, source)))
    names = {name: "keyword" for name in keyword.kwlist}
    names.update((name, "function" if callable(getattr(builtins, name)) else "constant") for name in dir(builtins) if not name.startswith("_"))
    names.update((name, "variable") for name in _WORD.findall(source) if name != prefix)
    return _answer(column, prefix, [(name, kind, "") for name, kind in names.items()])


def _answer(column: int, prefix: str, names: list[tuple[str, str, str]]) -> dict[str, Any]:
    fitting = [entry for entry in names if entry[0].lower().startswith(prefix.lower()) and (prefix.startswith("_") or not entry[0].startswith("_"))]
    fitting.sort(key=lambda entry: entry[0].lower())
    return {"start": column - len(prefix), "names": [{"name": n, "kind": k, "detail": d} for n, k, d in fitting[:MOST]]}


def _resolve(owner: str, source: str) -> Any:
    """The object that a dotted name of the document stands for, if it is (part of) an imported module; else None."""
    first, *rest = owner.split(".")
    found = None
    for module, alias, origin, names in _BOUND.findall(source):
        if module and first == (alias or module.split(".")[0]):
            found = _module(module if alias else first)
        for name in names.strip("() ").split(",") if origin else ():
            name, _, other = (part.strip() for part in name.partition(" as "))
            if first == (other or name):
                found = getattr(_module(origin), name, None)
    for name in rest:
        found = getattr(found, name, None)
    return found


def _module(name: str) -> Any:
    if name.split(".")[0] not in SAFE:
        return None
    try:
        return importlib.import_module(name)
    except Exception:
        return None


def _members(owner: Any) -> list[tuple[str, str, str]]:
    members = []
    for name in dir(owner) if owner is not None else ():
        value = getattr(owner, name, None)
        kind = "class" if isinstance(value, type) else "function" if callable(value) else "property"
        told = getattr(value, "__doc__", "") if kind != "property" else ""
        members.append((name, kind, told.strip().split("\n")[0][:100] if isinstance(told, str) else ""))
    return members
