"""Imports flow one way: read off every file by AST, lazy imports too, and tried in a child that has the standard library only."""

import ast
import subprocess
import sys

import pytest

LEVELS = (
    ("cli",),
    ("render", "rooms"),
    ("audit", "chapters", "cohort"),
    ("runner", "bundle", "progress"),
    ("catalog",),
    ("kernel", "sim"),
)
"""From the top down. A part imports from the levels below its own, and from itself."""
ALSO = {}
"""Sideways imports that are drawn in docs/DESIGN.md: part to the parts beside it."""
PURE = ("kernel", "sim")
HEAVY = {"subprocess", "multiprocessing", "threading", "_thread", "socket", "sqlite3", "ctypes", "concurrent"}
"""What the kernel, which also runs in a browser, does without."""


def parts(root):
    return [path.name for path in (root / "practice").iterdir() if path.is_dir() and list(path.glob("*.py"))]


def level(part):
    return next(index for index, level in enumerate(LEVELS) if part in level)


def imports(path):
    """(line, full module name) of every import of a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} is a relative import; write it absolutely"
            yield node.lineno, node.module
            if node.module == "practice":
                yield from ((node.lineno, f"practice.{alias.name}") for alias in node.names)


def files(root, part):
    return [path for path in (root / "practice" / part).rglob("*.py") if "blank" not in path.parts]


def test_every_part_has_a_level(root):
    known = {part for level in LEVELS for part in level}
    assert set(parts(root)) <= known


def test_imports_flow_one_way(root):
    wrong = []
    for part in parts(root):
        for path in files(root, part):
            for line, module in imports(path):
                words = module.split(".")
                if words[0] == "sim":
                    words = ["practice", "sim"]
                if words[0] != "practice" or len(words) < 2 or words[1] == part or words[1] == "__version__":
                    continue
                if words[1] == "judge" or not (level(words[1]) > level(part) or words[1] in ALSO.get(part, ())):
                    wrong.append(f"{path.relative_to(root)}:{line} imports {module}")
    assert wrong == []


@pytest.mark.parametrize("part", PURE)
def test_kernel_and_simulator_need_the_standard_library_only(root, part):
    wrong = []
    for path in files(root, part):
        for line, module in imports(path):
            top = module.split(".")[0]
            # numpy is looked at where a submission brought it in, never required.
            if top not in sys.stdlib_module_names and top not in ("practice", "numpy") and not (part == "sim" and top == "sim"):
                wrong.append(f"{path.relative_to(root)}:{line} imports {module}")
    assert wrong == []


def test_the_kernel_has_no_processes_threads_or_sockets(root):
    wrong = [
        f"{path.relative_to(root)}:{line} imports {module}"
        for path in files(root, "kernel")
        for line, module in imports(path)
        if module.split(".")[0] in HEAVY
    ]
    assert wrong == []


@pytest.mark.parametrize("part", PURE)
def test_kernel_and_simulator_load_in_a_bare_interpreter(root, part):
    modules = [".".join(path.relative_to(root).with_suffix("").parts) for path in files(root, part)]
    modules = [module.removesuffix(".__init__") for module in modules if not module.endswith("__main__")]
    code = (
        f"import sys; sys.path.insert(0, {str(root)!r})\n"
        f"for name in {sorted(modules)!r}: __import__(name)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('practice.')))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert loaded == {part}


def test_the_hot_path_loads_neither_click_nor_rich_nor_numpy(root):
    code = (
        f"import sys; sys.path.insert(0, {str(root)!r}); sys.argv = ['judge.py']\n"
        "import practice.cli.entry, practice.cli.attempt, practice.cli.report, practice.runner.backend, practice.kernel.judging\n"
        "print(*(name for name in ('click', 'rich', 'numpy', 'jinja2', 'pygments', 'asyncio', 'multiprocessing') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
