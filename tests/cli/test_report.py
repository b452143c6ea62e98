"""What a learner reads, as golden files at 80 columns, with colour and without. Rewrite: pytest tests/cli --update-goldens"""

import random
from dataclasses import replace

import pytest

from practice.cli.report import LINES, Around, report
from practice.cli.style import Style
from practice.kernel.exercise import Exercise, KnownWrong
from practice.kernel.verdict import CheckResult, Status, Verdict
from practice.progress.standing import Standing

KNOWN = KnownWrong("floor", "", "check_partial", "partly filled", "Dividing with // forgets the last, partly filled block.")
EXERCISE = Exercise(184, "fleet-size", "QPS to GPU count", "estimation", "hard", 40, ("plan",), "", hints=("a", "b", "c"), after="talk", wrong=(KNOWN,))
JUDGED = {"python": "3.12.1", "backend": "pipe", "isolation": {"level": 3, "layers": ["landlock:7", "seccomp"], "missing": []}}
PASS = CheckResult("check_example", Status.ACCEPTED, "The worked example of the prompt", True)
PARTIAL = CheckResult(
    "check_partial_last_block",
    Status.WRONG_ANSWER,
    "A last, partly filled block",
    message="blocks_needed(33, 16) gave 2, expected 3: the last, partly filled block counts too",
    call="blocks_needed(33, 16)",
    got="2",
    expected="3",
    idea="the last, partly filled block counts too",
    known_wrong="floor",
)
RAISED = CheckResult(
    "check_no_traffic",
    Status.RUNTIME_ERROR,
    "No traffic at all",
    message="`plan(0, 2000, 500)` raised ZeroDivisionError: division by zero (line 31)",
    call="plan(0, 2000, 500)",
    traceback=("line 12, in plan: return fleet(step(qps))", "line 31, in step: return kv / qps"),
    output="batch 546\nstep 20.28\n",
)
REST = CheckResult("check_rest", Status.NOT_RUN, "The rest")
AROUND = Around("python judge.py")


def verdict(status, headline, *checks, **more):
    return Verdict("184-fleet-size", status, headline, checks, seed=1234, seconds=0.0124, limit_seconds=1.0, memory=24 * 2**20, judged=JUDGED, **more)


CASES = {
    "passed": (
        verdict(Status.ACCEPTED, "all 2 checks passed", PASS, replace(PASS, name="check_random")),
        replace(AROUND, standing=Standing(184, 3, 0, 500.0, "accepted", 2, 2, hints=1, last_at=500.0, seconds=1500.0), follows=(185, "The ridge batch")),
    ),
    "passed-examples": (verdict(Status.ACCEPTED, "the check passed", PASS), replace(AROUND, partial=True)),
    "wrong": (verdict(Status.WRONG_ANSWER, "1 of 3 checks passed", PASS, PARTIAL, replace(PARTIAL, name="check_x")), replace(AROUND, standing=Standing(184, 1, 1))),
    "wrong-twice": (verdict(Status.WRONG_ANSWER, "1 of 2 checks passed", PASS, PARTIAL), replace(AROUND, standing=Standing(184, 2, 2))),
    "wrong-hints-used": (verdict(Status.WRONG_ANSWER, "1 of 2 checks passed", PASS, PARTIAL), replace(AROUND, standing=Standing(184, 9, 9, hints=3))),
    "raised": (verdict(Status.RUNTIME_ERROR, "1 of 2 checks passed", PASS, RAISED, output=RAISED.output), AROUND),
    "time-limit": (
        verdict(
            Status.TIME_LIMIT,
            "1 of 3 checks passed",
            PASS,
            CheckResult("check_many", Status.TIME_LIMIT, "A million requests", message="no answer within 1 s", call="simulate(rate=22.56, count=1000000)"),
            REST,
        ),
        AROUND,
    ),
    "compile-error": (
        verdict(Status.COMPILE_ERROR, "does not load: line 3: expected ':'", CheckResult("load", Status.COMPILE_ERROR, message="line 3: expected ':'", traceback=("line 3: def plan(qps)",))),
        AROUND,
    ),
    "judge-error": (verdict(Status.JUDGE_ERROR, "the judge failed; this is our fault, not yours", CheckResult("check_a", Status.JUDGE_ERROR, "A", message="KeyError: 'x' in checks.py line 9"), REST), AROUND),
    "limits-only": (
        replace(
            verdict(Status.WRONG_ANSWER, "0 of 1 checks passed", PARTIAL),
            judged={"backend": "pipe", "isolation": {"level": 1, "layers": ["rlimits"], "missing": ["landlock", "seccomp"]}},
        ),
        AROUND,
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("colour", [False, True])
def test_reports_read_as_agreed(golden, name, colour):
    lines = report(CASES[name][0], EXERCISE, Style(colour, 80), CASES[name][1])
    golden(f"report-{name}{'-colour' if colour else ''}.txt", "\n".join(lines) + "\n")


def test_colour_changes_no_word():
    for given, around in CASES.values():
        plain = report(given, EXERCISE, Style(False, 80), around)
        coloured = report(given, EXERCISE, Style(True, 80), around)
        assert plain == [strip(line) for line in coloured]


def strip(line):
    import re

    return re.sub(r"\033\[\d+m", "", line)


def test_a_failed_run_fits_25_lines_of_80_columns_whatever_it_says():
    rng = random.Random(7)
    words = ["a" * 200, "x, " * 400, "", "short", "two\nlines", "many\n" * 50, "\x1b[31mred\x07", "\ud800 lone", "表" * 90]
    for _ in range(300):
        check = CheckResult(
            "check_it",
            rng.choice([Status.WRONG_ANSWER, Status.RUNTIME_ERROR, Status.OUTPUT_LIMIT]),
            *("A title " * rng.choice([1, 20]),),
            **{key: rng.choice(words) for key in ("message", "call", "got", "expected", "difference", "idea", "output")},
            known_wrong=rng.choice(["", "floor"]),
            traceback=tuple(rng.choices(words, k=rng.randrange(8))),
        )
        given = verdict(check.status, rng.choice(words), PASS, check, output=rng.choice(words))
        if rng.random() < 0.5:
            given = replace(given, judged={"backend": "pipe", "isolation": {"level": 1, "missing": ["landlock", "seccomp", "dumpable"]}})
        lines = report(given, EXERCISE, Style(False, 80), replace(AROUND, standing=Standing(184, 5, 5)))
        assert len(lines) <= LINES, "\n".join(lines)
        for line in lines:
            assert "\n" not in line and line.isprintable()
            assert len(line) <= 80


def test_nothing_is_cut_while_there_is_room():
    idea = "the wait counts from the latest time seen, " * 5 + "to the end"
    call = "; ".join(f"bucket.take(now_ms={1_900_000_000_000 + at}, cost={10**18 - at})" for at in range(3)) + "; bucket.wait(7)"
    found = replace(PARTIAL, call=call, idea=idea)
    lines = report(verdict(Status.WRONG_ANSWER, "0 of 1 checks passed", found), EXERCISE, Style(False, 80), AROUND)
    assert len(lines) <= LINES
    assert "to the end" in " ".join(lines) and "bucket.wait(7)" in " ".join(lines)


def test_a_file_with_a_space_can_be_judged_again_as_told():
    lines = report(CASES["wrong"][0], EXERCISE, Style(False, 80), replace(AROUND, file="my answers/184.py"))
    assert any("184 'my answers/184.py' --seed 1234" in line for line in lines)


def test_a_hint_is_offered_after_two_failures():
    wrong = CASES["wrong"][0]
    texts = ["\n".join(report(wrong, EXERCISE, Style(), replace(AROUND, standing=Standing(184, n, n)))) for n in (1, 2)]
    assert ["python judge.py hint 184" in text for text in texts] == [False, True]


def test_a_later_pass_does_not_claim_the_first_ones_effort():
    again = replace(CASES["passed"][1], standing=Standing(184, 9, 0, 500.0, "accepted", 2, 2, last_at=900.0, seconds=1500.0))
    assert "solved with" not in "\n".join(report(CASES["passed"][0], EXERCISE, Style(), again))


def test_a_finding_in_words_tells_each_idea_once():
    idea = "keep two numbers per row, not the tiles"
    found = CheckResult("check_one_pass", Status.WRONG_ANSWER, "One pass", message=f"40 tiles were referenced: {idea}. {KNOWN.idea}", idea=idea, known_wrong="floor")
    text = "\n".join(report(verdict(Status.WRONG_ANSWER, "0 of 1 checks passed", found), EXERCISE, Style(False, 80), AROUND))
    assert "found     40 tiles were referenced\n" in text
    assert " ".join(text.split()).count(idea) == 1
    assert " ".join(text.split()).count("forgets the last") == 1
