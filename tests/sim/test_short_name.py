"""The short name `sim`: one copy of every class, refused under any other name, light to import."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def python(code, *path):
    lines = [f"import sys; sys.path[:0] = {[str(p) for p in path or (ROOT,)]!r}", code]
    return subprocess.run([sys.executable, "-S", "-c", "\n".join(lines)], capture_output=True, text=True, cwd="/")


def test_every_way_to_import_gives_the_same_objects():
    done = python("""
from sim import Setup, simulate
import sim.trace, sim.engine as engine
from sim.record import Record
import practice.sim, practice.sim.trace, practice.sim.engine
from practice.sim.setup import Setup as Same
import sim
assert sim is practice.sim and sim.trace is practice.sim.trace and engine is practice.sim.engine
assert Setup is Same and type(simulate(Setup(1e9, 2e9, 1e3, 1000), 1, 1, 1, 1)[0]) is Record
assert sim.trace.__spec__.name == "practice.sim.trace" and Setup.__module__ == "practice.sim.setup"
import pickle, dataclasses
setup = Setup(1e9, 2e9, 1e3, 1000)
assert pickle.loads(pickle.dumps(setup)) == setup == dataclasses.replace(setup)
assert len([name for name in sys.modules if name.endswith("sim.engine") and sys.modules[name] is not engine]) == 0
from sim import *
calibrate = sim.calibrate
print("same")
""")
    assert done.stdout == "same\n", done.stderr


def test_a_second_copy_is_refused_with_a_hint():
    done = python("import sim", ROOT / "practice")
    assert "would load every class a second time" in done.stderr
    assert "hint: write `import sim` with the project folder on the path" in done.stderr


def test_an_unknown_submodule_or_name_is_an_ordinary_error():
    assert "No module named 'practice.sim.nothing'" in python("import sim.nothing").stderr
    assert "no attribute 'nothing'" in python("import sim; sim.nothing").stderr


@pytest.mark.parametrize("module", ["csv", "tomllib", "statistics", "json", "pathlib", "numpy", "click", "practice.kernel", "practice.sim.realistic"])
def test_importing_the_simulator_does_not_load(module):
    done = python(f"import sim; print({module!r} in sys.modules)")
    assert done.stdout == "False\n", done.stderr
