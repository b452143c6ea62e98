"""What the playground says, tried in the Python at hand; tests/bundle/test_modules.py tries it in the browser's."""

import pytest

import sim
from practice.bundle.inside.manual import USAGE, manual
from practice.bundle.inside.playground import play


def played(source):
    sent = []
    error = play({"source": source}, sent.append)["error"]
    return "".join(message.get("output", "") for message in sent), error


@pytest.mark.parametrize(("code", "shown"), [("'bye'", "bye\n"), ("3", ""), ("None", ""), ("", ""), ("('a', 1)", "('a', 1)\n")])
def test_exit_shows_what_python_would(code, shown):
    assert played(f"import sys\nprint('first')\nsys.exit({code})\n") == ("first\n", shown)


def test_a_package_that_is_not_here_gets_a_hint_and_another_error_none():
    _, error = played("import no_such_package.part\n")
    assert "No module named 'no_such_package'" in error and "can be imported here; for `no_such_package`, run this with Python on your machine" in error
    assert "hint" not in played("from math import no_such_name\n")[1] + played("import math.part\n")[1] + played("1 / 0\n")[1]


def test_help_shows_arguments_docstring_and_parts(capsys):
    printed, error = played("import sim\nhelp(sim.knee)\n")
    assert error == "" and printed.startswith("knee(setup") and sim.knee.__doc__.partition("\n")[0] in printed

    class Page:
        """Some tokens."""

        size = 16

        def free(self, many):
            """Gives pages back.

            More of it.
            """

    manual(Page)
    assert capsys.readouterr().out == "class Page()\n\nSome tokens.\n\n    size\n    free(self, many)  Gives pages back.\n"
    manual(Page())
    assert capsys.readouterr().out.startswith("class Page()")
    manual(sim)
    assert "    knee(setup" in capsys.readouterr().out
    manual()
    assert capsys.readouterr().out == USAGE + "\n"
