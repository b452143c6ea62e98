import pytest

from practice.kernel.load import LoadError, decode_source, kinds_of_names, load


def refusal(source):
    with pytest.raises(LoadError) as caught:
        load(decode_source(source))
    return caught.value


@pytest.mark.parametrize("source", [b"\xef\xbb\xbfx = 1\r\ny = 2\r\n", b"x = 1\ry = 2", b"# -*- coding: utf-8 -*-\nx = 1\ny = 2\n", "x = 1\ny = 2 # \u00e9".encode()])
def test_utf8_with_or_without_mark_and_any_line_ends(source):
    module = load(decode_source(source))
    assert (module.x, module.y) == (1, 2)


def test_other_encodings_and_nul_are_refused_with_their_line():
    assert refusal(b"x = 1\ny = '\xe9'\n").message == "line 2 is not UTF-8 text (byte 0xe9)"
    assert refusal(b"x = 1\n\0\n").message == "line 2 holds a NUL character"
    assert refusal(b"#!/usr/bin/python\n# coding: utf-7\n").message == "line 2 declares the encoding utf-7, but only UTF-8 is read"
    assert refusal("x = 1".encode("utf-16")).message.startswith("line 1 is not UTF-8")


def test_what_does_not_compile_says_where():
    error = refusal(b"x = 1\ndef plan(:\n")
    assert (error.message, error.lines) == ("SyntaxError in line 2: invalid syntax", ["line 2: def plan(:"])
    assert refusal(b"if 1:\n\tx = 1\n        y = 2\n").message.startswith("TabError in line 3")
    assert refusal(b"def f():\nreturn 1\n").message.startswith("IndentationError in line 2")
    assert "nested" in refusal(b"x = " + b"(" * 5000 + b")" * 5000).message


def test_what_raises_at_import_shows_the_learners_own_lines():
    error = refusal(b"def inner():\n    return 1 / 0\n\ninner()\n")
    assert error.message == "ZeroDivisionError: division by zero (line 2, in inner)"
    assert error.lines == ["line 4: inner()", "line 2, in inner: return 1 / 0"]
    assert refusal(b"raise SystemExit(3)").message == "SystemExit: 3 (line 1)"
    assert refusal(b"import no_such_module_anywhere").message.startswith("ModuleNotFoundError")
    assert refusal(b"class E(BaseException):\n    def __str__(self): raise E\nraise E").message.startswith("E: (its message cannot be read")


def test_a_deep_recursion_shows_both_ends():
    error = refusal(b"def again(n):\n    return again(n + 1)\nagain(0)\n")
    assert len(error.lines) == 11 and "more lines" in error.lines[5]


def test_names_and_their_kinds():
    module = load("import math\nclass A: pass\nclass E(ValueError): pass\ndef f(): pass\nLIMIT = 3\n")
    assert kinds_of_names(module) == {"math": "value", "A": "class", "E": "error", "f": "function", "LIMIT": "value"}


def test_dataclasses_with_text_annotations_load():
    module = load("from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n")
    assert module.A(1).x == 1
