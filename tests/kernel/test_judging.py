import json
from dataclasses import replace

import pytest

from practice.kernel.backend import Usage
from practice.kernel.door import exercise_from_json, exercise_to_json, judge_json
from practice.kernel.errors import NotFound, PracticeError
from practice.kernel.exercise import Limits
from practice.kernel.judging import check_names, judge
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.verdict import Status, from_json, to_json

from .conftest import exercise

CHECKS = '''
from practice.kernel.expect import expect_equal, expect_raises
from practice.kernel.scenario import scenario


def check_example_exact_fit(sub):
    """The worked example of the prompt"""
    expect_equal(sub.blocks_needed(32, 16), 2, "32 tokens fill two blocks exactly")


def check_partial_last_block(sub):
    """A last, partly filled block"""
    assert sub.blocks_needed(33, 16) == 3, "the last, partly filled block counts too"


def check_random(sub, ref, rng):
    """Random sizes, compared with the reference"""
    for _ in range(50):
        tokens, size = rng.randrange(0, 10_000), rng.randrange(1, 129)
        expect_equal(sub.blocks_needed(tokens, size), ref.blocks_needed(tokens, size), "ceil(tokens / block size)")


def check_negative(sub):
    """Refuses negative sizes"""
    expect_raises(ValueError, lambda: sub.blocks_needed(-1, 16), "there are no negative sizes", says="negative")
'''
SOLUTION = '''
def blocks_needed(tokens, size):
    if tokens < 0:
        raise ValueError("tokens is negative")
    return -(-tokens // size)
'''
FLOOR = SOLUTION.replace("-(-tokens // size)", "tokens // size")
ROUND = SOLUTION.replace("-(-tokens // size)", "tokens // size + 1")
ENTRY = ("blocks_needed",)


def blocks(**changes):
    return exercise(**{"checks": CHECKS, "solution": SOLUTION, "wrong": {"floor": FLOOR, "one_more": ROUND}, "entry": ENTRY, **changes})


def judged(source, which=None, **options):
    return judge(which or blocks(), source, LoopbackBackend(), **{"seed": 5, **options})


def returning(expression):
    return SOLUTION.replace("-(-tokens // size)", expression)


def statuses(verdict):
    return [check.status.value for check in verdict.checks]


def one_check(body, source, **changes):
    """The result of a single check with this body."""
    text = "from practice.kernel.expect import *\ndef check_it(sub, ref, rng):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return judged(source, exercise(text, source if "solution" not in changes else "", **changes)).checks[0]


def test_judging_until_a_failure_runs_nothing_after_it():
    whole, part = judged(FLOOR), judged(FLOOR, until_failure=True)
    assert statuses(whole) == ["accepted", "wrong answer", "wrong answer", "accepted"]
    assert statuses(part) == ["accepted", "wrong answer", "not run", "not run"]
    assert (part.status, part.checks[:2]) == (whole.status, tuple(replace(c, seconds=p.seconds) for c, p in zip(whole.checks[:2], part.checks)))
    assert judged(SOLUTION, until_failure=True).status is Status.ACCEPTED


def test_checks_that_are_judged_again_keep_nothing_of_the_first_time():
    counting = CHECKS + """

SEEN = []


def check_once(sub):
    SEEN.append(sub.blocks_needed(1, 1))
    assert SEEN == [1]
"""
    assert [judged(SOLUTION, blocks(checks=counting)).status for _ in range(2)] == [Status.ACCEPTED, Status.ACCEPTED]


def test_the_solution_is_accepted():
    verdict = judged(SOLUTION)
    assert verdict.status is Status.ACCEPTED and verdict.passed == 4
    assert verdict.headline == "all 4 checks passed" and verdict.first_failure is None
    assert verdict.judged["backend"] == "loopback" and verdict.judged["isolation"]["level"] == 0


def test_a_wrong_answer_says_call_got_expected_and_idea():
    verdict = judged(returning("2 if tokens == 32 else 1"))
    assert statuses(verdict) == ["accepted", "wrong answer", "wrong answer", "accepted"]
    failure = verdict.first_failure
    assert failure.message == "`blocks_needed(33, 16)` gave 1, expected 3: the last, partly filled block counts too"
    assert (failure.call, failure.got, failure.expected) == ("blocks_needed(33, 16)", "1", "3")
    assert verdict.headline == "2 of 4 checks passed; first failed: A last, partly filled block"


def test_a_known_mistake_is_named():
    failure = judged(FLOOR + "\n# my own text\n").first_failure
    assert failure.known_wrong == "floor"
    assert failure.message.endswith("counts too. This is floor.")
    assert judged(ROUND).first_failure.known_wrong == "one_more"
    assert judged(returning("7")).first_failure.known_wrong == ""


def test_mistakes_that_look_alike_in_one_case_are_told_apart_by_the_randomised_ones():
    text = """
from practice.kernel.expect import expect_equal
def check_one(sub):
    expect_equal(sub.double(2), 5)
def check_random(sub, ref, rng):
    for _ in range(9):
        number = rng.randrange(3, 99)
        expect_equal(sub.double(number), ref.double(number))
"""
    wrong = {"square": "def double(n): return n * n\n", "plus_two": "def double(n): return n + 2\n"}
    whole = exercise(text, "def double(n): return 2 * n + 1\n", wrong)
    for name, source in wrong.items():
        assert judged(source + "# mine\n", whole).first_failure.known_wrong == name


def test_a_mistake_that_fails_what_was_passed_is_not_named():
    text = """
from practice.kernel.expect import expect_equal
def check_early(sub):
    expect_equal(sub.double(1), 2)
def check_late(sub):
    expect_equal(sub.double(3), 6)
"""
    wrong = {"always_nine": "def double(n): return 9\n"}
    whole = exercise(text, "def double(n): return 2 * n\n", wrong)
    whole = replace(whole, wrong=tuple(replace(known, fails="check_early") for known in whole.wrong))
    assert judged("def double(n): return 9\n", whole).first_failure.known_wrong == "always_nine"
    late = judged("def double(n): return 2 * n if n < 3 else 9\n", whole).first_failure
    assert (late.name, late.known_wrong) == ("check_late", "")


def test_a_known_mistake_is_found_though_floats_differ_in_the_last_digit():
    text = "def check_sum(sub):\n    assert abs(sub.total() - 1.0) < 1e-3\n"
    wrong = {"sum": "def total(): return 0.1 + 0.2\n"}
    assert judged("def total(): return 0.3\n", exercise(text, "def total(): return 1.0\n", wrong)).first_failure.known_wrong == "sum"


def test_the_same_seed_asks_the_same_and_another_seed_does_not():
    source = returning("-(-tokens // size) if tokens < 40 else 0")
    first, again, other = (judged(source, seed=seed, only=["check_random"]).first_failure.call for seed in (1, 1, 2))
    assert first == again != other


def test_only_and_examples_only_choose_checks():
    assert [check.name for check in judged(SOLUTION, only=["check_random"]).checks] == ["check_random"]
    shown = judged(SOLUTION, examples_only=True).checks
    assert [(check.name, check.shown) for check in shown] == [("check_example_exact_fit", True)]
    with pytest.raises(NotFound) as caught:
        judged(SOLUTION, only=["check_randm"])
    assert "check_random" in caught.value.nearest


def test_results_are_told_as_they_come():
    seen = []
    judged(FLOOR, on_result=seen.append)
    assert [result.name for result in seen] == list(check_names(blocks()))


def test_a_starter_is_not_written_yet():
    verdict = judged("def blocks_needed(tokens, size):\n    raise NotImplementedError\n")
    assert verdict.status is Status.RUNTIME_ERROR and verdict.headline == "not written yet"
    assert verdict.first_failure.message == "`blocks_needed` is not written yet"
    assert set(statuses(verdict)) == {"runtime error"}


@pytest.mark.parametrize(
    ("source", "words"),
    [("def blocks_neded(tokens, size): pass", "your file defines no function `blocks_needed`; did you mean `blocks_neded`"),
     ("", "your file defines no function `blocks_needed`"), ("def f(:", "SyntaxError in line 1"), ("1 / 0", "ZeroDivisionError"),
     ("x = '\0'", "NUL"), (b"\xff", "UTF-8"), ("import no_such_module_anywhere", "ModuleNotFoundError"), ("x = '\ud800'", "UTF-8")],
)  # fmt: skip
def test_what_does_not_load_is_a_compile_error_and_nothing_else_runs(source, words):
    verdict = judged(source)
    assert statuses(verdict) == ["compile error", "not run", "not run", "not run"]
    assert verdict.status is Status.COMPILE_ERROR and words in verdict.headline


def test_an_exception_is_a_runtime_error_with_the_learners_own_lines():
    verdict = judged("def blocks_needed(tokens, size):\n    return half(tokens)\n\ndef half(n):\n    return n / 0\n")
    failure = verdict.first_failure
    assert verdict.status is Status.RUNTIME_ERROR
    assert failure.message == "`blocks_needed(32, 16)` raised ZeroDivisionError: division by zero (line 5, in half)"
    assert failure.traceback == ("line 2, in blocks_needed: return half(tokens)", "line 5, in half: return n / 0")


@pytest.mark.parametrize("raised", ["SystemExit(0)", "KeyboardInterrupt", "Own('x')", "Skip('x')", "AssertionError('fine')", "StopIteration", "RecursionError"])
def test_no_exception_of_the_submission_passes_for_a_finding_or_ends_the_judge(raised):
    verdict = judged(f"class Own(BaseException): pass\nclass Skip(Exception): pass\ndef blocks_needed(a, b): raise {raised}\n")
    assert statuses(verdict)[:3] == ["runtime error"] * 3


def test_memory_and_output_limits_end_the_run():
    verdict = judged("def blocks_needed(a, b): raise MemoryError\n")
    assert statuses(verdict) == ["memory limit", "not run", "not run", "not run"]
    verdict = judged("def blocks_needed(a, b):\n    while True: print('x' * 100)\n", blocks(limits=Limits(output=1000)))
    assert statuses(verdict) == ["output limit", "not run", "not run", "not run"]
    assert len(verdict.output) <= 1000
    assert judged("raise MemoryError").status is Status.MEMORY_LIMIT


def test_what_is_printed_is_kept_and_not_shown(capsys):
    verdict = judged("print('loading')\n" + SOLUTION.replace("return", "print('\\x1b[31mcall', tokens); return"), only=["check_example_exact_fit"])
    assert verdict.output == "loading\ncall 32\n"
    assert capsys.readouterr() == ("", "")


def test_state_does_not_leak_from_check_to_check():
    source = "calls = []\ndef count():\n    calls.append(1)\n    return len(calls)\n"
    text = "def check_a(sub):\n    assert sub.count() == 1\ndef check_b(sub):\n    assert sub.count() == 1\n"
    assert judged(source, exercise(text)).status is Status.ACCEPTED


def test_a_check_that_breaks_on_wrong_answers_only_has_found_one():
    body = "assert sub.plan()['gpus'] == 8"
    which = exercise(f"def check_it(sub):\n    {body}\n", "def plan(): return {'gpus': 8}\n")
    failure = judged("def plan(): return None\n", which).first_failure
    assert failure.status is Status.WRONG_ANSWER
    assert failure.message.startswith("`plan()` gave None, which is not the kind of answer that was asked for")
    assert failure.expected == "{'gpus': 8}"


def test_a_check_that_breaks_on_the_reference_too_is_our_fault():
    which = exercise("def check_it(sub):\n    sub.plan()\n    {}['gone']\n", "def plan(): return 1\n")
    verdict = judged("def plan(): return 2\n", which)
    assert verdict.status is Status.JUDGE_ERROR and "our fault" in verdict.headline
    assert verdict.checks[0].message == "the check itself raised KeyError: 'gone'"
    assert verdict.checks[0].traceback == ("checks.py line 3, in check_it",)


def test_a_reference_that_raises_is_our_fault():
    which = exercise("def check_it(sub, ref):\n    assert sub.f() == ref.f()\n", "def f(): raise ValueError('x')\n")
    assert judged("def f(): return 1\n", which).status is Status.JUDGE_ERROR


class LosingBackend(LoopbackBackend):
    """Ends every session as a judge whose own machinery failed."""

    def open(self, exercise, submission):
        session = super().open(exercise, submission)
        session.close = lambda: Usage(ended=Status.JUDGE_ERROR, reason="the submission's process was lost")
        return session


def test_a_lost_process_is_our_fault_whatever_the_check_found():
    verdict = judge(blocks(), FLOOR, LosingBackend(), seed=5)
    assert statuses(verdict) == ["judge error", "not run", "not run", "not run"]
    assert verdict.checks[0].message == "the submission's process was lost"


@pytest.mark.parametrize(
    ("text", "words"),
    [("def check_a(sub:", "does not compile"), ("x = 1", "no function"), ("def check_a(sub, other): pass", "takes `other`"),
     ("def check_a(): pass", "does not take `sub`"), ("async def check_a(sub): pass", "async"), ("import nothing_like_it\ndef check_a(sub): pass", "does not load")],
)  # fmt: skip
def test_broken_checks_are_our_fault(text, words):
    verdict = judged(SOLUTION, exercise(text))
    assert verdict.status is Status.JUDGE_ERROR and words in verdict.checks[0].message


def test_a_check_that_is_a_generator_accepts_nothing():
    assert judged(SOLUTION, exercise("def check_a(sub):\n    yield 1\n", SOLUTION)).status is Status.JUDGE_ERROR


def test_a_method_call_is_shown_with_what_led_to_it():
    source = (
        "class BlockPool:\n    def __init__(self, size): self.free = size\n    def take(self, n): self.free -= n\n"
        "    def left(self): return self.free\n"
    )
    body = "pool = sub.BlockPool(8)\npool.take(3)\nexpect_equal(pool.left(), 4, 'take gives out')"
    result = one_check(body, source)
    assert result.message == "after `block_pool = BlockPool(8)` and `block_pool.take(3)`, `block_pool.left()` gave 5, expected 4: take gives out"
    assert result.call == "block_pool = BlockPool(8); block_pool.take(3); block_pool.left()"
    assert one_check("pool = sub.BlockPool(2)\nassert pool.free == 1", source).message == "after `block_pool = BlockPool(2)`, `block_pool.free` gave 2, expected 1"


def test_a_call_is_shown_as_it_was_made_though_it_changed_its_arguments():
    result = one_check("items = [3, 1]\nexpect_equal(sub.order(items), None)", "def order(items):\n    items.sort()\n    return items\n")
    assert result.call == "order([3, 1])"


def test_long_values_give_way_to_their_difference():
    body = "expect_equal(sub.fill(list(range(1000))), list(range(1000)), 'keep the order')"
    message = one_check(body, "def fill(items): return items[:500] + [0] + items[501:]\n").message
    assert message.endswith("gave a wrong answer, at [500]: 0, expected 500: keep the order")
    assert len(message) < 300


def test_something_made_of_the_answer_is_told_as_such():
    body = "seen = sub.plan()\nexpect_equal(sum(seen), 7, 'all of them')"
    assert one_check(body, "def plan(): return [1, 2]\n").message == "`sum(plan())` gave 3, expected 7: all of them"


def test_an_idea_of_a_known_wrong_submission_alone_follows_a_colon_as_the_checks_own_does():
    text = "from practice.kernel.expect import fail\ndef check_it(sub):\n    if sub.f() != 2:\n        fail('two are missing')\n"
    result = judged("def f(): return 0\n", exercise(text, "def f(): return 2\n", wrong={"none": "def f(): return 0\n"})).checks[0]
    assert result.idea and result.message == f"after `f()`: two are missing: {result.idea}"


HOSTILE = [
    "10**5000", "'a\\ud800b'", "'\\x1b[31mred\\x00'", "float('nan')", "[10**5000] * 100", "'x' * 10**6", "{i: [i] * 50 for i in range(5000)}",
    "type('A\\x1b', (), {})()", "type('A', (), {'__repr__': lambda s: 1/0})()", "(i for i in [1])", "lambda: 1", "object", "NotImplemented", "...",
    "type('L', (list,), {'__eq__': lambda s, o: True, '__ne__': lambda s, o: False})([1])", "[float('nan')] * 40", "{float('nan'): 1}",
    "True", "[[[[[[[[[]]]]]]]]]", "b'\\xff' * 10**5", "{(1, 2): {3}}", "range(3)", "type('E', (Exception,), {})()", "2.0000001", "memoryview(b'')",
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("body", ["expect_equal(sub.f(1), 2)", "assert sub.f(1) == 2", "assert sub.f(1) + 1 == 3", "expect_close([sub.f(1)], [2])", "assert 0 < sub.f(1) < 2"])
def test_any_wrong_value_is_a_short_readable_wrong_answer(value, body):
    text = f"from practice.kernel.expect import *\ndef check_it(sub):\n    {body}\n"
    solution = "def f(n): return 2\n" if "<" not in body else "def f(n): return 1\n"
    verdict = judged(f"def f(n): return {value}\n", exercise(text, solution))
    result = verdict.checks[0]
    if body.startswith("assert 0 <") and value == "True":
        return  # Python says 0 < True < 2
    assert result.status is Status.WRONG_ANSWER, result
    assert 0 < len(result.message) < 2200
    assert all(text.isprintable() for text in (result.message, result.call, result.got, result.expected, result.difference))
    json.dumps(to_json(verdict)).encode()


def test_long_and_odd_arguments_are_shown_readably():
    body = "expect_equal(sub.f('\\x1b[31m' + chr(0xd800), list(range(10_000)), key={'a': 10**5000}), 2)"
    result = one_check(body, "def f(*args, **kwargs): return 1\n")
    assert result.message.isprintable() and len(result.message) < 400 and "9,9" in result.message


def test_builtins_patched_by_a_submission_do_not_reach_the_judge():
    source = "import builtins\ndef f(n):\n    builtins.AssertionError = Exception\n    builtins.isinstance = lambda *a: True\n    return 1\n"
    assert one_check("expect_equal(sub.f(1), 2)", source).status is Status.WRONG_ANSWER
    source = "import builtins\ndef f(n):\n    for name in list(vars(builtins)): delattr(builtins, name)\n    return 2\n"
    assert one_check("expect_equal(sub.f(1), 2)", source).status is Status.RUNTIME_ERROR
    assert len("ab") == 2 and not isinstance("ab", int)


def test_a_verdict_survives_json():
    verdict = judged(FLOOR)
    assert from_json(json.loads(json.dumps(to_json(verdict)))) == verdict


def test_the_door_judges_text():
    request = {"format": 1, "exercise": exercise_to_json(blocks()), "submission": FLOOR, "seed": 5}
    seen = []
    answer = json.loads(judge_json(json.dumps(request), on_result=seen.append))
    verdict = from_json(answer)
    assert verdict.status is Status.WRONG_ANSWER and verdict.seed == 5
    assert verdict.first_failure.message == judged(FLOOR).first_failure.message
    assert [json.loads(text)["name"] for text in seen] == list(check_names(blocks()))


def test_the_door_never_raises():
    good = {"format": 1, "exercise": exercise_to_json(blocks()), "submission": "x"}
    for text in ("", "[", "[]", "{}", '{"format": 2}', json.dumps({**good, "submission": 5}), json.dumps({**good, "exercise": {"number": 1}}),
                 json.dumps({**good, "exercise": None}), json.dumps({**good, "only": ["check_nothing"]})):  # fmt: skip
        answer = json.loads(judge_json(text))
        assert answer["format"] == 1 and answer["error"]["message"]


def test_an_exercise_survives_json():
    which = blocks(limits=Limits(seconds=2.0), requires=("numpy",))
    assert exercise_from_json(json.loads(json.dumps(exercise_to_json(which)))) == which
    with pytest.raises(PracticeError):
        exercise_from_json({**exercise_to_json(which), "unknown": 1})


def test_what_a_check_prints_or_warns_of_goes_beside_the_verdict(capsys):
    import warnings

    noisy = 'print("at load")\ndef check_one(sub):\n    """One"""\n    import warnings\n    warnings.warn("odd numbers")\n    print(sub.f(), flush=True)\n    print("x" * 10**6)\n'
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        verdict = judge(exercise(noisy), "def f(): return '\\x1b[2Jowned'\n", LoopbackBackend(), seed=1)
    said = capsys.readouterr()
    assert verdict.status is Status.ACCEPTED
    assert said.out == "" and "at load\nowned\n" in said.err and "\x1b" not in said.err and len(said.err) < 10_000


@pytest.mark.parametrize("ending", ["import sys\nsys.exit(0)", "raise SystemExit", "raise BaseException", "raise GeneratorExit", "1 / 0"])
def test_checks_that_leave_while_they_load_are_our_fault_and_accept_nothing(ending):
    text = f'def check_one(sub):\n    """One"""\n{ending}\n'
    assert judge(exercise(text), "x = 1\n", LoopbackBackend(), seed=1).status is Status.JUDGE_ERROR


def test_a_check_defined_twice_is_our_fault():
    text = 'def check_one(sub):\n    """One"""\n    assert sub.x == 2\n\ndef check_one(sub):\n    """Another"""\n'
    verdict = judge(exercise(text), "x = 1\n", LoopbackBackend(), seed=1)
    assert verdict.status is Status.JUDGE_ERROR and "defines check_one twice" in verdict.checks[0].message
