import ast

import pytest

from practice.kernel import asserts
from practice.kernel.expect import Finding


def failing(text, **names):
    """The finding of a body of code with asserts."""
    body = "".join(f"    {line}\n" for line in text.splitlines())
    tree = asserts.rewrite(ast.parse(f"def check({', '.join(names)}):\n{body}"))
    namespace = asserts.names()
    exec(compile(tree, "checks.py", "exec"), namespace)
    with pytest.raises(Finding) as caught:
        namespace["check"](**names)
    return caught.value


def passing(text, **names):
    tree = asserts.rewrite(ast.parse(text))
    exec(compile(tree, "checks.py", "exec"), {**asserts.names(), **names})


def test_both_sides_and_their_difference():
    finding = failing("assert x == [1, 3], 'count from one'", x=[1, 2])
    assert (finding.got, finding.expected, finding.difference, finding.idea) == ("[1, 2]", "[1, 3]", "at [1]: 2, expected 3", "count from one")


def test_the_answer_may_stand_on_either_side():
    finding = failing("assert 3 == sub()", sub=lambda: 2)
    assert (finding.got, finding.expected) == ("2", "3")
    finding = failing("assert ref() <= sub()", sub=lambda: 2, ref=lambda: 5)
    assert (finding.got, finding.expected) == ("2", "at least 5")


@pytest.mark.parametrize(
    ("test", "expected"),
    [("x < 3", "less than 3"), ("x <= 3", "at most 3"), ("x > 9", "more than 9"), ("x >= 9", "at least 9"), ("x != 5", "anything but 5"),
     ("x is None", "None"), ("x in (1, 2)", "one of (1, 2)"), ("x not in [5]", "none of [5]")],
)  # fmt: skip
def test_every_comparison_is_worded(test, expected):
    finding = failing(f"assert {test}", x=5)
    assert (finding.got, finding.expected) == ("5", expected)


def test_parts_of_an_and_are_told_apart():
    assert failing("assert x > 0 and x < 3, 'small'", x=5).expected == "less than 3"


def test_other_conditions_show_what_they_were_made_of():
    assert failing("assert all(v > 0 for v in x)", x=[1, -1]).reason == "`all((v > 0 for v in x))` does not hold"
    assert failing("assert isinstance(x, int)", x="a").reason == "`isinstance(x, int)` does not hold: x is 'a'"
    assert failing("assert 0 < x < 2 or not x", x=5).reason == "`0 < x < 2 or not x` does not hold: x is 5, x is 5"
    assert failing("assert sub(1)", sub=lambda at: []).reason == "`sub(1)` does not hold: sub(1) is []"


def test_each_side_is_evaluated_once_and_the_idea_only_on_failure():
    calls = []

    def call(value):
        calls.append(value)
        return value

    passing("assert call(1) == call(1), call('idea')\nassert call(2), call('idea')\nassert not call(0) or call(3)", call=call)
    assert calls == [1, 1, 2, 0]


def test_what_passes_stays_what_python_says():
    passing("assert True == 1\nassert 0.0 == -0.0\nassert (n := 3) == 3\nassert n\nassert [x for x in (1, 2)]")


def test_a_message_that_is_no_text_is_shown():
    assert failing("assert x == 1, x", x=2).idea == "2"


def test_scenarios_are_left_alone():
    text = "@scenario\ndef drive(submission):\n    assert submission\n"
    assert ast.unparse(asserts.rewrite(ast.parse(text))) == ast.unparse(ast.parse(text))
