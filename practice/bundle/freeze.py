"""Runs inside Pyodide under Node (see freeze.mjs): compiles Python sources and packs them, the same bytes each time.

Compiled here because .pyc files must come from the very Python that reads them, and no host need have that version.
"""

import ast
import importlib.util
import io
import json
import marshal
import sys
import types
import zipfile

FORMAT = 2 if sys.version_info < (3, 14) else marshal.version
"""2 is without shared references, which depend on what else the interpreter holds and would differ each time; 3.14 has constants it lacks."""
DATE = (1980, 1, 1, 0, 0, 0)


def freeze(job: dict) -> bytes:
    """One archive. job: the fields of compiled.Job, with roots and dropped or with skip."""
    with zipfile.ZipFile(job["source"]) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    if "roots" in job:
        names = closure(files, job["roots"], frozenset(job["dropped"]))
    else:
        names = [name for name in files if not any(part in f"/{name}|" for part in job["skip"])]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(names):
            data = files[name]
            if name.endswith(".py") and not name.startswith(tuple(job["as_source"])):
                name, data = name + "c", compile_module(data, job["at"] + name, job["optimize"], job["lines"])
            archive.writestr(zipfile.ZipInfo(name, DATE), data)
    return packed.getvalue()


def compile_module(source: bytes, path: str, optimize: int, lines: bool) -> bytes:
    """A .pyc that is never checked against its source. optimize 2 leaves out asserts and docstrings."""
    code = compile(source, path, "exec", dont_inherit=True, optimize=optimize)
    flags = (1).to_bytes(4, "little")  # hash-based, unchecked: the same in any build, and no look at dates
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code if lines else without_lines(code), FORMAT)


def without_lines(code: types.CodeType) -> types.CodeType:
    """The code with every instruction on the first line of its function: where each one stands is most of what compression leaves.

    An entry of the table covers up to eight code units of two bytes: 0x80, kind 13 (a line, no columns) times 8, units less one; then how
    many lines further, here 0 (Objects/locations.md of CPython).
    """
    units = len(code.co_code) // 2
    sizes = [8] * (units // 8) + ([units % 8] if units % 8 else [])
    table = b"".join(bytes((0x80 | 13 << 3 | size - 1, 0)) for size in sizes)
    inner = tuple(without_lines(part) if isinstance(part, types.CodeType) else part for part in code.co_consts)
    return code.replace(co_linetable=table, co_consts=inner)


def closure(files: dict[str, bytes], roots: list[str], dropped: frozenset[str]) -> list[str]:
    """The files of the roots and of everything their top levels import."""
    modules = {_module(name): name for name in files if name.endswith(".py")}
    found: set[str] = set()
    waiting = [name for root in roots for name in ([root] if not root.endswith(".*") else _below(root[:-2], modules))]
    while waiting:
        module = waiting.pop()
        waiting.extend(module[:at] for at, letter in enumerate(module) if letter == "." and module[:at] not in found)
        if module in found or module not in modules or _is_dropped(module, dropped):
            continue
        found.add(module)
        is_package = modules[module].endswith("/__init__.py")
        package = module if is_package else module.rpartition(".")[0]
        waiting.extend(imports(ast.parse(files[modules[module]]), package))
    return [modules[module] for module in found]


def imports(tree: ast.Module, package: str) -> list[str]:
    """Every name that a module's own level may import; functions and `if __name__ == ...` left out."""
    names = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            names.extend([base, *(f"{base}.{alias.name}" for alias in node.names)])
        elif isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            continue
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
    return names


def _base(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, node.module] if node.module else parts)


def _module(name: str) -> str:
    dotted = name[:-3].replace("/", ".")
    return dotted.removesuffix(".__init__")


def _below(package: str, modules: dict[str, str]) -> list[str]:
    return [module for module in modules if module == package or module.startswith(package + ".")]


def _is_dropped(module: str, dropped: frozenset[str]) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:end]) in dropped for end in range(1, len(parts) + 1))


if __name__ == "__main__":
    with open("/job.json") as file:
        result = freeze(json.load(file))
    with open("/result.zip", "wb") as file:
        file.write(result)
