"""What was compared, as the learner would type it: a part of the answer, or what the check made of it."""

import pytest

from .conftest import exercise
from .test_judging import judged, one_check

PLAN = "def plan(n, **more): return {'batch': 1, 'gpus': 1, 'rows': [[1, 2], [3, 4]]}\n"


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("got = sub.plan(20)\nexpect_equal(got['gpus'], 8)", "plan(20)['gpus']"),
        ("expect_equal(sub.plan(20)['batch'], 8)", "plan(20)['batch']"),
        ("got = sub.plan(20)\nfor key in ('batch', 'gpus'):\n    expect_equal(got[key], 1 if key == 'batch' else 2)", "plan(20)['gpus']"),
        ("at = 1\ngot = sub.plan(20)\nexpect_close(got['rows'][at][0], 8)", "plan(20)['rows'][1][0]"),
        ("assert sub.plan(20)['rows'][1:] == [], 'none'", "plan(20)['rows'][1:]"),
        ("got = sub.plan(20)\nassert 8 == got['batch']", "plan(20)['batch']"),
        ("expect_equal(sorted(sub.plan(20)), [])", "sorted(plan(20))"),
        ("got = sub.plan(20)\nexpect_equal(len(got['rows']) + 1, 9)", "len(plan(20)['rows']) + 1"),
    ],
)
def test_a_part_of_the_answer_is_told_with_its_key(body, call):
    result = one_check(body, PLAN)
    assert result.call == call and result.message.startswith(f"`{call}` gave {result.got}, expected ")


@pytest.mark.parametrize(
    "body",
    [
        "got = sub.plan(20)\nexpect_equal([value for value in got], [])",  # a comprehension is not read
        "got = sub.plan(20)\nexpect_equal((got['gpus'], got['batch']), (1, 2))",  # the call would stand there twice
        "got, own = sub.plan(20), [3]\nexpect_equal(own, [4])",  # not of the answer at all
        "before = sub.plan(20)\nsub.plan(30)\nexpect_equal(before['gpus'], 2)",  # of an earlier answer
    ],
)
def test_what_is_no_part_of_the_last_answer_stands_after_the_call(body):
    result = one_check(body, PLAN)
    assert result.message.startswith(f"after `{result.call}`: got ")
    assert result.call in ("plan(20)", "plan(30)")


def test_the_answer_itself_and_objects_are_told_as_before():
    assert one_check("expect_equal(sub.plan(20), 3)", "def plan(n): return 4\n").message == "`plan(20)` gave 4, expected 3"
    result = one_check("pool = sub.Pool()\nexpect_equal(pool.take(2)['a'], 3)", "class Pool:\n    def take(self, n): return {'a': n}\n", entry=("Pool",))
    assert result.message == "after `pool = Pool()`, `pool.take(2)['a']` gave 2, expected 3"


def test_a_scenario_is_told_as_the_judges_own_with_what_it_does():
    checks = """
from practice.kernel.expect import expect_equal
from practice.kernel.scenario import scenario

@scenario
def drive(submission, n):
    '''Takes n blocks and counts the rest.'''
    return {"left": submission.plan(n)}

def check_it(sub):
    expect_equal(sub.run(drive, 2)["left"], 0, "none is left")
"""
    result = judged("def plan(n): return 5\n", exercise(checks, "def plan(n): return 0\n")).checks[0]
    assert result.call == "drive(2)['left']  # a script of the judge's: Takes n blocks and counts the rest"
    assert result.message == "the judge's script `drive(2)['left']` gave 5, expected 0: none is left"
    raised = judged("def plan(n): return 1 / 0\n", exercise(checks, "def plan(n): return 0\n")).checks[0]
    assert raised.message.startswith("the judge's script `drive(2)` raised ZeroDivisionError")
