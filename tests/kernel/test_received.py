"""A forged frame costs the judge no more than an honest one: what the other side sends is of the right type, or refused."""

import itertools
from time import perf_counter

import pytest

from practice.kernel import judging, received, wire
from practice.kernel.failure import Remote, SessionEnded, Unreadable
from practice.kernel.handle import Reference
from practice.kernel.remote import Link
from practice.kernel.verdict import Status
from tests.kernel.conftest import exercise


class Liar:
    """A transport whose other side answers each request with what it is told to, after callbacks of its own."""

    def __init__(self, *answers, callbacks=()):
        self.codec = wire.Codec(None, {"k": lambda number: number, "g": lambda number: number, "o": lambda number: number})
        self.answers = list(answers)
        self.callbacks = callbacks
        self.told = []

    def exchange(self, frame, on_callback):
        self.codec.decode(frame)
        for body in self.callbacks:
            self.told.append(self.codec.decode(on_callback(framed(wire.CALLBACK, body))))
        return framed(wire.ANSWER, self.answers.pop(0))


def framed(kind, body):
    text = body.encode()
    return kind + len(text).to_bytes(4, "little") + text


ENDLESS = '{"g":0}'
"""The check's own endless iterator, which comes back as the object it is."""
ODD = (ENDLESS, '{"k":0}', '{"h":[0,0,"x",""]}', '{"d":[["a"],[1]]}', "7", "null", '[["a"]]', '{"t":["a"]}', '{"i":"0x' + "f" * 9000 + '"}')
FORMS = (
    '["v"]', '["x",@]', '["e",@,"said",[],0,null]', '["e","ValueError",@,[],0,null]', '["e","ValueError","said",@,0,null]',
    '["e","ValueError","said",[@],0,null]', '["e","ValueError","said",[],[@],null]', '["e","ValueError","said",[],0,@]',
    '["e","ValueError","said",[],0,[@,null]]', '["e","ValueError","said",[],0,[[],@]]', '["e",[1,"A",@],"said",[],0,null]',
    '["e",[1,@,["Exception"]],"said",[],0,null]', '["e",[@,"A",["Exception"]],"said",[],0,null]', '["r",1,@,null]', '["r",1,[],@]',
    "@", "[@]", '["s",@]',
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_with_something_else_inside_ends_in_a_remote_exception(form):
    for odd in ODD:
        link = Link(Liar(form.replace("@", odd)))
        began = perf_counter()
        try:
            link.call("plan", None, (itertools.count(), [1, 2]), {})
        except Exception as error:
            assert isinstance(error, Remote), (form, odd, error)
        assert perf_counter() - began < 2.0, (form, odd)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("form", ['["v",@]', '["v",[@,[],null]]', '["v",[[],@,null]]', '["v",[["a"],["b"],@]]', '["v",{"d":[["plan"],[@]]}]', '["l",@,[]]', '["l","said",@]'])
def test_descriptions_with_something_else_inside_are_unreadable_or_harmless(form, odd):
    for ask in (lambda link: link.load(b""), lambda link: link.describe("Pool"), lambda link: link.fields(Reference(link, 1, 1, "Pool", "fields"))):
        link = Link(Liar('["v",null]', form.replace("@", odd)))
        link.call("plan", None, (itertools.count(),), {})
        try:
            ask(link)
        except Exception as error:
            assert isinstance(error, Remote), (form, odd, error)


@pytest.mark.parametrize("body", [f"[0,{ENDLESS},null]", f"[0,[],{ENDLESS}]", ENDLESS, "[true,[],null]", "[-1,[],null]", "[9,[],null]", '[0,{"t":[]},null]', "[0,[]]"])
def test_a_callback_with_something_else_inside_calls_nothing(body):
    called = []
    transport = Liar('["v",1]', callbacks=[body])
    Link(transport).call("plan", None, (itertools.count(), called.append), {})
    assert transport.told[0][0] == "e" and not called


def test_a_class_with_many_bases_and_many_classes_are_refused():
    bases = ",".join(f'[{number},"B",["Exception"]]' for number in range(2, 5000))
    for described in (f'[1,"A",[{bases}]]', *(f'[{number},"A",["Exception"]]' for number in range(10, 1000))):
        link = Link(Liar(*[f'["e",{described},"said",[],0,null]'] * 2))
        with pytest.raises(Exception) as raised:
            link.call("plan", None, (), {})
        assert isinstance(raised.value, Remote)
    link = Link(Liar(*(f'["e",[{number},"A",["Exception"]],"said",[],0,null]' for number in range(1000))))
    kinds = []
    for _ in range(1000):
        with pytest.raises(Exception) as raised:
            link.call("plan", None, (), {})
        kinds.append(type(raised.value))
    assert kinds[0].__name__ == "A" and kinds[-1] is Unreadable


def test_a_module_has_no_more_names_than_are_read():
    names = ",".join(f'"pla{number}"' for number in range(50_000))
    kinds = ",".join(['"value"'] * 50_000)
    link = Link(Liar(f'["v",{{"d":[[{names}],[{kinds}]]}}]'))
    assert link.load(b"") is None and len(link.names) == received.MOST_NAMES


def test_what_takes_long_to_read_ends_the_session(monkeypatch):
    monkeypatch.setattr(received, "MOST_SECONDS", 0.02)
    costly = "[9,[" + ",".join(['{"t":[]}'] * 20_000) + "],null]"
    transport = Liar('["v",1]', callbacks=[costly] * 1000)
    link = Link(transport)
    with pytest.raises(SessionEnded):
        link.call("plan", None, (), {})
    assert len(transport.told) < 100 and link.allowance.reason == "its answers take too long to read"


def test_what_is_much_to_keep_ends_the_session(monkeypatch):
    monkeypatch.setattr(received, "MOST_BYTES", 10_000)
    link = Link(Liar(*['["v","' + "x" * 2000 + '"]'] * 10))
    with pytest.raises(SessionEnded):
        for _ in range(10):
            link.call("plan", None, (), {})
    assert link.allowance.reason.startswith("its answers came to more than")


def test_too_much_to_read_is_a_time_limit_and_ends_the_run(backend, monkeypatch):
    monkeypatch.setattr(received, "MOST_BYTES", 200_000)
    checks = 'def check_one(sub):\n    """One"""\n    for _ in range(100): sub.plan()\n\ndef check_two(sub):\n    """Two"""\n    sub.plan()\n'
    verdict = judging.judge(exercise(checks), "def plan(): return 'x' * 50_000\n", backend, seed=1)
    assert [check.status for check in verdict.checks] == [Status.TIME_LIMIT, Status.NOT_RUN]
    assert "its answers came to more than" in verdict.checks[0].message


ENTRIES = (
    "class plan(Exception): pass", "class plan(ValueError):\n    def __getitem__(self, key): return 3", "class plan(BaseException): pass",
    "class plan(KeyboardInterrupt): pass", "class plan(type): pass", "import enum\nclass plan(enum.Enum): A = 1", "class plan(dict): pass", "plan = 5",
    "plan = None", "plan = print", "plan = plan_ = lambda *a: plan_", "import os as plan", "plan = type", "plan = 'x'", "def plan(x):\n    yield x",
    "async def plan(x):\n    yield x", "class plan:\n    def __call__(self): return 3", "class plan:\n    __slots__ = ()\n    def __init__(self, x): pass",
)  # fmt: skip


@pytest.mark.parametrize("source", ENTRIES)
def test_an_entry_of_an_odd_kind_is_never_the_judges_failure(backend, source):
    checks = 'def check_one(sub):\n    """One"""\n    assert sub.plan(3)["a"] + 1 == 4\n    assert len(sub.plan(3)["l"][:1]) == 1\n'
    judged = judging.judge(exercise(checks, "def plan(x): return {'a': x, 'l': [x]}", entry=("plan",)), source + "\n", backend, seed=1)
    assert judged.status in (Status.WRONG_ANSWER, Status.RUNTIME_ERROR), judged.checks
    assert "`your program`" not in judged.checks[0].message


def test_a_check_that_also_breaks_on_the_solution_is_the_judges_failure(backend):
    broken = 'def check_one(sub):\n    """One"""\n    sub.plan(3).nothing()\n'
    verdict = judging.judge(exercise(broken, "def plan(x): return x"), "class plan(Exception): pass\n", backend, seed=1)
    assert verdict.status is Status.JUDGE_ERROR
