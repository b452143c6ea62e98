"""The pruned standard library still has what a submission may import, in both pinned versions of Pyodide."""

import pytest

from practice.bundle import modules

from .conftest import start

IMPORT_ALL = f"""
import importlib
for name in {modules.WANTED!r}:
    try:
        importlib.import_module(name)
    except BaseException as error:
        print(name, repr(error))
"""
USE = """
import asyncio, concurrent.futures, datetime, decimal, fractions, hashlib, json, pickle, random, statistics, tempfile, textwrap, tomllib, urllib.parse
assert datetime.datetime.strptime("2026-01-02", "%Y-%m-%d").day == 2     # _strptime is imported by the function
assert json.loads(json.dumps({"a": [1.5]})) == {"a": [1.5]}
assert pickle.loads(pickle.dumps({1: "x"})) == {1: "x"}
assert "caf\\u00e9".encode("utf-16").decode("utf-16") == "caf\\u00e9"
assert str(decimal.Decimal("0.1") + decimal.Decimal("0.2")) == "0.3" and fractions.Fraction(1, 3) * 3 == 1
assert urllib.parse.urlsplit("https://a.example/b?c=1").query == "c=1"
with tempfile.TemporaryDirectory() as folder:
    open(folder + "/x", "w").write("y")
from sim import Setup, Slo, derive, knee, line_plot, read_trace
print(Setup.for_model("qwen2.5-7b").kv_bytes_per_token)
"""
TRACED = """
import json, sys, traceback, warnings
seen = []
def follow(frame, event, argument):
    if frame.f_code.co_filename.endswith("decoder.pyc") or "json/decoder" in frame.f_code.co_filename:
        seen.append(frame.f_lineno)
    return follow
sys.settrace(follow)
try:
    json.loads("{")
except ValueError as error:
    sys.settrace(None)
    last = traceback.extract_tb(error.__traceback__)[-1]
    code = json.JSONDecoder.raw_decode.__code__
    assert last.name == "raw_decode" and last.lineno == code.co_firstlineno, last
    assert set(line for _, _, line in code.co_lines()) == {code.co_firstlineno}
    assert max(end for _, end, _ in code.co_lines()) == len(code.co_code)  # the table covers all of it
    assert len(list(code.co_positions())) == len(code.co_code) // 2
assert seen and all(isinstance(line, int) for line in seen), seen
print("line", sys._getframe().f_lineno)
"""


def play(judge, source):
    said = judge.ask("play", {"source": source})
    assert said.get("answer") == {"error": ""}, said
    return "".join(message.get("output", "") for message in said["sent"])


@pytest.mark.node
def test_every_wanted_module_imports(pyodide):
    assert play(pyodide, IMPORT_ALL) == ""


@pytest.mark.node
def test_what_functions_import_later_is_there_too(pyodide):
    assert play(pyodide, USE) == "57344.0\n"


@pytest.mark.node
def test_the_library_tells_where_a_function_begins_and_own_code_every_line(pyodide):
    assert play(pyodide, TRACED) == f"line {TRACED.count(chr(10))}\n"


@pytest.mark.node
def test_numpy_without_its_tests_still_computes(pyodide_numpy):
    source = """
import numpy as np, numpy.fft, numpy.linalg, numpy.ma, numpy.polynomial, numpy.random, numpy.testing
print(np.linalg.solve(np.eye(3) * 2, np.ones(3)).sum(), np.abs(np.fft.fft(np.ones(4)))[0], np.einsum("ij,jk", np.eye(2), np.eye(2)).sum())
np.random.default_rng(0).normal(size=3); np.linalg.svd(np.eye(3)); np.ma.array([1, 2], mask=[0, 1]).sum()
"""
    assert play(pyodide_numpy, source) == "1.5 4.0 2.0\n"


@pytest.mark.node
def test_the_playground_helps_where_the_browser_s_python_differs(pyodide, pyodide_numpy):
    source = "import asyncio, sim\nasync def main():\n    await asyncio.sleep(0.001)\n    return 7\nprint(asyncio.run(main()))\nhelp(sim.knee)\nhelp(len)\n"
    printed = play(pyodide, source)
    assert printed.startswith("7\nknee(setup") and "len(obj, /)" in printed
    for judge, words in ((pyodide, "the standard library and sim"), (pyodide_numpy, "the standard library, numpy and sim")):
        error = judge.ask("play", {"source": "import requests\n"})["answer"]["error"]
        assert error.endswith(f"\n\nhint: only {words} can be imported here; for `requests`, run this with Python on your machine\n")
    error = pyodide.ask("play", {"source": "import tkinter\n"})["answer"]["error"]
    assert "hint: `tkinter` is one of the few parts of the standard library" in error
    assert pyodide.ask("play", {"source": "import sys; sys.exit('bye')\n"})["answer"]["error"] == "bye\n"


@pytest.mark.node
@pytest.mark.slow
def test_the_second_runtime_boots_and_imports_everything(root):
    with start(root, runtime="314.0.7") as judge:
        assert play(judge, IMPORT_ALL) == ""
        assert play(judge, "import sys; print(sys.version_info[:2])") == "(3, 14)\n"
        assert play(judge, TRACED).startswith("line ")


def test_no_module_is_both_wanted_and_dropped():
    assert not set(modules.WANTED) & set(modules.DROPPED)
