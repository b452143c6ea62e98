"""The code that runs inside the browser's Python, tried in the Python at hand."""

import json
from time import perf_counter, sleep

import pytest

from practice.bundle.inside import door, judged, telling
from practice.bundle.inside.completion import complete
from practice.bundle.inside.lab import START, lab
from practice.bundle.inside.playground import MOST_OUTPUT, play
from practice.bundle.inside.syntax import syntax
from practice.kernel.door import exercise_to_json
from practice.kernel.exercise import Exercise, KnownWrong
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.remote import Link, Submission
from practice.sim import knee
from practice.sim.derivation import derive

CHECKS = '''
from practice.kernel.expect import expect_equal


def check_example_two(sub):
    """Twice two"""
    expect_equal(sub.twice(2), 4, "twice")


def check_three(sub):
    """Twice three"""
    expect_equal(sub.twice(3), 6, "twice")
'''
PLAN = {**START, "part": "plan", "model": "qwen2.5-7b", "gpu": "h100", "tp": 1, "weights": "bf16", "kv": "bf16", "input_len": 1024, "output_len": 256,
        "ttft": 1.0, "tpot": 0.04, "peak": 100, "headroom": 0.25, "spares": 0,
        "mfu": 0.5, "step_overhead": 0.0005, "max_num_seqs": 256}  # fmt: skip


def request(submission, **more):
    wrong = (KnownWrong("always_four", "def twice(x):\n    return 4\n", "check_three", "twice", "it is always four"),)
    exercise = Exercise(1, "twice", "Twice", "cost", "easy", 5, ("twice",), CHECKS, solution="def twice(x):\n    return 2 * x\n", wrong=wrong)
    return {"format": 1, "exercise": exercise_to_json(exercise), "submission": submission, "seed": 3, **more}


def asked(verb, question):
    sent = []
    answer = door.handle(verb, json.dumps(question), lambda text: sent.append(json.loads(text)))
    return json.loads(answer), sent


def test_the_page_hears_of_each_check_before_the_verdict():
    verdict, sent = asked("judge", request("def twice(x):\n    return 2 * x\n"))
    assert verdict["status"] == "accepted" and verdict["limit_seconds"] == judged.SLOWNESS
    assert sent[0] == {"limit": judged.SLOWNESS, "names": ["check_example_two", "check_three"]}
    assert [next(iter(message)) for message in sent[1:]] == ["phase", "call", "result"] * 2


def test_a_search_for_the_idea_is_announced_as_such():
    verdict, sent = asked("judge", request("def twice(x):\n    y = 4\n    return y\n"))
    assert verdict["checks"][1]["known_wrong"] == "always_four"
    assert [message["phase"] for message in sent if "phase" in message] == ["check", "check", "idea"]


def test_examples_only_runs_and_names_the_examples():
    verdict, sent = asked("judge", request("def twice(x):\n    return 4\n", examples_only=True))
    assert verdict["status"] == "accepted" and sent[0]["names"] == ["check_example_two"]


def test_an_ended_worker_gives_a_time_limit_and_keeps_finished_checks():
    question = request("def twice(x):\n    return 4 if x == 2 else twice(x)\n")
    whole, sent = asked("judge", request("def twice(x):\n    return 2 * x\n"))
    done = [message["result"] for message in sent if "result" in message][:1]
    call = [message["call"] for message in sent if "call" in message][1]
    verdict, _ = asked("ended", {"request": question, "results": done, "call": call, "why": "time"})
    assert [check["status"] for check in verdict["checks"]] == ["accepted", "time limit"]
    assert verdict["headline"] == "1 of 2 checks passed; first failed: Twice three"
    assert verdict["checks"][1]["message"] == "no answer within 3 s: it was ended when more than twice that had passed" and set(verdict) == set(whole)
    assert verdict["checks"][1]["call"] == "twice(3)  # did not return"


def test_the_first_calls_are_all_told_and_further_ones_for_a_share_of_the_time():
    sent, link = [], Link(None)
    link.asked = b""
    tell = telling.Telling(lambda message: (sent.append(message), sleep(0.001)))
    began = perf_counter()
    for _ in range(telling.CALLS):
        tell(link)
    assert len(sent) == telling.CALLS and {"call": None} not in sent
    while perf_counter() - began < 0.15:
        tell(link)
    further = sent[telling.CALLS :]
    assert {"call": None} in further and len(further) * 0.001 <= telling.SHARE * (perf_counter() - began) + 0.003


@pytest.mark.parametrize("short", [telling.SHORT, 0])
def test_the_call_is_told_as_the_shell_writes_it(monkeypatch, short):
    monkeypatch.setattr(telling, "SHORT", short)
    source = b"class PagePool:\n    def __init__(self, n):\n        pass\n    def free(self, many, k=0):\n        1 / 0\n"
    session, told = LoopbackBackend().open(Exercise(1, "a", "A", "cost", "easy", 5, (), ""), source), []
    session.announce = telling.Telling(lambda message: told.append(json.loads(json.dumps(message))["call"]))
    link = Link(session)
    link.load(source)
    sub = Submission(link)
    sub.PagePool(1)
    pool = sub.PagePool(4)
    with pytest.raises(ZeroDivisionError):
        pool.free([1] * 3, k=2)
    session.close()
    expected = ["PagePool(1)", "PagePool(4)", "page_pool = PagePool(1); page_pool2 = PagePool(4); page_pool2.free([1, 1, 1], k=2)"]
    assert [telling.written(call) for call in told] == [text + "  # did not return" for text in expected]
    assert telling.written(None) == telling.written("") == ""
    assert telling.written({}) == telling.written({"frames": ["x"], "classes": {"y": 1}}) == ""  # forged


@pytest.mark.parametrize(
    ("why", "status", "words"),
    [
        ("Program terminated with exit(7)", "runtime error", "ended before it answered (exit code 7)"),
        ("Maximum call stack size exceeded", "runtime error", "deeper than the browser's stack"),
        ("memory limit", "memory limit", "needed more than 512 MiB"),
        ("null function or function signature mismatch", "runtime error", "your program ended before it answered"),
    ],
)
def test_a_dead_interpreter_is_told_in_words(why, status, words):
    verdict, _ = asked("ended", {"request": request(""), "results": [], "why": why})
    assert verdict["status"] == status and words in verdict["checks"][0]["message"]
    assert verdict["checks"][1]["status"] == "not run"


def test_syntax_says_where_the_parser_stopped():
    assert syntax({"source": "x = 1\n"}) is None
    found = syntax({"source": "def f(:\n    pass\n"})
    assert (found["line"], found["column"]) == (1, 7) and found["message"].startswith("SyntaxError")
    assert syntax({"source": "a\0b"})["message"]


def test_completion_knows_modules_names_and_keywords():
    def names(source, line, column):
        return [entry["name"] for entry in complete({"source": source, "line": line, "column": column})["names"]]

    assert names("import math\nmath.sq", 2, 7) == ["sqrt"]
    assert names("from heapq import heappu", 1, 24) == ["heappush", "heappushpop"]
    assert names("from math import sqrt as root\nroot.__na", 2, 9) == ["__name__"]
    assert "batch_size" in names("batch_size = 3\nbat", 2, 3)
    assert names("secret.lo", 1, 9) == []


def test_completion_never_imports_what_is_no_known_module():
    assert complete({"source": "import antigravity_of_mine\nantigravity_of_mine.x", "line": 2, "column": 21})["names"] == []


def test_the_playground_streams_output_and_figures_and_shows_own_lines():
    sent = []
    answer = play({"source": "print('a')\nshow('<svg></svg>')\n1/0\n"}, sent.append)
    assert sent == [{"output": "a\n"}, {"figure": "<svg></svg>"}]
    assert "line 3" in answer["error"] and "1/0" in answer["error"] and "playground.py" in answer["error"] and "inside" not in answer["error"]


def test_the_playground_ends_what_prints_without_end():
    sent = []
    answer = play({"source": "while True:\n    print('x' * 1000)\n"}, sent.append)
    assert "printed more than 256 KiB" in answer["error"] and sum(len(m["output"]) for m in sent) <= MOST_OUTPUT


def test_the_lab_finds_the_knee_and_its_code_gives_the_same(capsys):
    plan = lab(PLAN)
    assert 20 < plan["knee"] < 25 and plan["fleet"]["instances"] == 6
    exec(plan["code"], {})
    printed = capsys.readouterr().out
    assert f"{plan['knee']:.2f} requests/s" in printed and "instances: 6, GPUs: 6" in printed and "$15.00 an hour" in printed


def test_the_lab_s_code_says_why_there_is_no_fleet_where_no_rate_meets_the_slo(capsys):
    plan = lab({**PLAN, "ttft": 0.001})
    assert plan["knee"] == 0 and "fleet" not in plan
    exec(plan["code"], {})
    printed = capsys.readouterr().out
    assert f"no fleet: even at {plan['low']:g} requests/s" in printed and "takes" not in printed and "'slo_ok': 0.0" in printed


def test_the_lab_s_code_says_that_it_knows_no_price(capsys):
    plan = lab({**PLAN, "gpu": "rtxpro6000", "price": 0})
    assert plan["price"] == 0
    exec(plan["code"], {})
    printed = capsys.readouterr().out
    assert "no price of rtxpro6000 is known" in printed and "$" not in printed and f"instances: {plan['fleet']['instances']}, " in printed


def test_the_lab_says_in_words_what_does_not_fit():
    assert "tp=" in lab({**PLAN, "model": "llama-3-405b"})["error"]
    small = {**PLAN, "model": "llama-3-70b", "tp": 2, "input_len": 128_000}  # the weights fit, one request does not
    assert "128256 tokens" in lab(small)["error"] and "128256 tokens" in lab({**small, "part": "point", "rate": 1.0})["error"]


def test_a_point_of_the_lab_is_what_the_simulator_says():
    point = lab({**PLAN, "part": "point", "rate": 10.0})
    assert point["slo_ok"] == 1.0 and point["goodput"] == pytest.approx(10, rel=0.1) and point["ttft_p50"] < point["ttft_p99"]


def test_no_rate_reaches_the_lab_s_ceiling():
    choices = lab({"part": "choices"})
    for model in ("qwen2.5-7b", "qwen3-32b"):
        plan = lab({**PLAN, "model": model, "tpot": 0.5})
        assert knee(derive(model).setup, (1.0, 0.5), 1024, 256, low=0.1, high=4 * plan["high"], num_requests=1000) < plan["high"]
    assert {"h100", "h200"} <= {gpu["key"] for gpu in choices["gpus"]}
