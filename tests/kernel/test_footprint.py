"""What the kernel may load: the standard library only, and little of it in the process of a check."""

import ast
import subprocess
import sys
from pathlib import Path

KERNEL = Path(__file__).parents[2] / "practice" / "kernel"


def modules_after(statement):
    """The modules that a bare interpreter holds after a statement."""
    script = f"import sys; sys.path.insert(0, {str(KERNEL.parents[1])!r}); {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_side_of_the_submission_loads_little():
    loaded = modules_after("import practice.kernel.server")
    heavy = {"dataclasses", "inspect", "typing", "ast", "asyncio", "threading", "socket", "subprocess", "signal", "resource", "numpy", "random"}
    assert not loaded & heavy
    ours = {name.rpartition(".")[2] for name in loaded if name.startswith("practice.kernel.")}
    assert ours == {"server", "load", "tracebacks", "wire", "arrays"}


def test_the_judge_needs_no_processes_threads_or_sockets():
    loaded = modules_after("import practice.kernel.door")
    assert not loaded & {"asyncio", "threading", "socket", "subprocess", "resource", "multiprocessing", "difflib", "random", "numpy", "tempfile"}


def test_the_kernel_imports_the_standard_library_and_itself():
    for file in KERNEL.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                allowed = name.split(".")[0] in sys.stdlib_module_names or name.startswith("practice.kernel") or (name, file.name) == ("numpy", "arrays.py")
                assert allowed, f"{file.name} imports {name}"
