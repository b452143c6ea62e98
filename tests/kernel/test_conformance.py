"""What a check may rely on, over every transport (see conftest.backend)."""

import math
import random

import pytest

from practice.kernel.failure import Remote, Unreadable
from practice.kernel.handle import Handle
from practice.kernel.scenario import scenario

ECHO = "def same(value): return value\ndef kind(value): return type(value).__name__\n"
VALUES = [
    None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**64, 10**5000, 1.5, math.inf, -math.inf, 1e-320, 1 + 2j, complex(-0.0, math.inf),
    "", "text", "a\ud800b", "\ud83d\ude00", "\x1b[31m\0", b"", b"\xff\0", bytearray(b"ab"), [], [1, [2, [3]]], (), (1,), ((1, 2), [3]),
    {}, {"a": 1}, {1: "a", None: [2], (1, 2): {3: 4}, b"k": 5}, set(), {1, 2}, {"a", "b"}, frozenset({1}), {frozenset({1}): {2}},
    list(range(1000)), [0.5] * 1000, [2**70] * 50, [True, False] * 30, [1, 2.0, "a", None], ["x"] * 100, [None] * 100,
]  # fmt: skip


def test_plain_values_come_back_equal_and_of_the_same_type(submit):
    sub = submit(ECHO)
    for value in VALUES:
        back = sub.same(value)
        assert type(back) is type(value)
        assert back == value
        assert sub.kind(value) == type(value).__name__


def test_nan_and_minus_zero_keep_their_bits(submit):
    sub = submit(ECHO)
    assert math.isnan(sub.same(math.nan))
    assert math.copysign(1, sub.same(-0.0)) == -1
    assert math.copysign(1, sub.same([-0.0] * 100)[99]) == -1


def test_random_nested_values_come_back_equal(submit):
    rng = random.Random(7)
    sub = submit(ECHO)
    for _ in range(60):
        value = _random_value(rng, 4)
        assert sub.same(value) == value


def _random_value(rng, depth):
    leaves = [None, True, rng.randrange(-(10**20), 10**20), rng.random(), "x" * rng.randrange(5), b"\0\1"]
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(leaves)
    items = [_random_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    return rng.choice([items, tuple(items), {f"k{at}": item for at, item in enumerate(items)}])


def test_subclasses_of_builtins_are_laundered(submit):
    sub = submit(
        "import collections, enum\n"
        "class L(list):\n"
        "    def __eq__(self, other): return True\n"
        "    def __ne__(self, other): return False\n"
        "    def __iter__(self): raise ValueError\n"
        "class I(int):\n"
        "    def __eq__(self, other): return True\n"
        "class S(str):\n"
        "    def __str__(self): return 'hidden'\n"
        "class D(dict):\n"
        "    def keys(self): return ['forged']\n"
        "    def items(self): return [('forged', 1)]\n"
        "class E(enum.IntEnum):\n"
        "    ONE = 1\n"
        "def values(): return [L([1]), I(2), S('s'), D(a=1), E.ONE, collections.OrderedDict(b=2), collections.Counter('aa')]\n"
    )
    values = sub.values()
    assert values == [[1], 2, "s", {"a": 1}, 1, {"b": 2}, {"a": 2}]
    assert [type(value) for value in values] == [list, int, str, dict, int, dict, dict]


def test_an_object_that_equals_everything_equals_no_value(submit):
    sub = submit(
        "class Any:\n"
        "    def __eq__(self, other): return True\n"
        "    def __lt__(self, other): return True\n"
        "    def __sub__(self, other): return 0\n"
        "    __hash__ = object.__hash__\n"
        "def make(): return Any()\n"
    )
    made = sub.make()
    assert type(made) is Handle
    assert made != 3 and not made == 3 and 3 != made and made not in (1, 2)
    for compare in (lambda: made < 3, lambda: made - 3, lambda: 3 > made, lambda: abs(made)):
        with pytest.raises(TypeError) as caught:
            compare()
        assert not isinstance(caught.value, Remote)


def test_arguments_changed_in_place_are_changed_here(submit):
    sub = submit(
        "def change(items, table, names, data, nested):\n"
        "    items.append(4); items.sort(reverse=True); table['new'] = table.pop('old'); names.discard('a')\n"
        "    data[0] = 255; nested['inner'][0].append('x')\n"
        "    return len(items)\n"
    )
    inner = []
    items, table, names, data, nested = [3, 1], {"old": 1}, {"a", "b"}, bytearray(b"\0\1"), {"inner": [inner]}
    assert sub.change(items, table, names, data, nested=nested) == 3
    assert (items, table, names, data) == ([4, 3, 1], {"new": 1}, {"b"}, bytearray(b"\xff\1"))
    assert inner == ["x"] and nested == {"inner": [["x"]]}


def test_arguments_changed_before_an_exception_are_changed_here(submit):
    sub = submit("def take(items):\n    items.pop()\n    raise ValueError('no')\n")
    items = [1, 2]
    with pytest.raises(ValueError):
        sub.take(items)
    assert items == [1]


def test_arguments_changed_beside_a_callback_and_an_object_are_changed_here(submit):
    sub = submit("class Box: pass\ndef f(items, call, feed, box):\n    items.append(call(1) + next(feed))")
    items, box = [], sub.Box()
    sub.f(items, lambda n: n + 1, iter([5]), box)
    assert items == [7]


def test_untouched_arguments_stay_the_same_objects(submit):
    sub = submit("def look(items): return len(items[0])\n")
    inner = (1, [2])
    items = [inner, {"a": [1]}]
    kept = [items[0], items[1], items[1]["a"]]
    assert sub.look(items) == 2
    assert items[0] is kept[0] and items[1] is kept[1] and items[1]["a"] is kept[2]


def test_objects_have_methods_attributes_and_syntax(submit):
    sub = submit(
        "class Pool:\n"
        "    LIMIT = 9\n"
        "    def __init__(self, size): self.items = list(range(size))\n"
        "    @classmethod\n"
        "    def small(cls): return cls(1)\n"
        "    @property\n"
        "    def free(self): return len(self.items)\n"
        "    def __len__(self): return len(self.items)\n"
        "    def __getitem__(self, at): return self.items[at]\n"
        "    def __setitem__(self, at, value): self.items[at] = value\n"
        "    def __delitem__(self, at): del self.items[at]\n"
        "    def __contains__(self, value): return value in self.items\n"
        "    def __iter__(self): return iter(self.items)\n"
        "    def __enter__(self): return self\n"
        "    def __exit__(self, *error): self.items.clear()\n"
        "    def __eq__(self, other): return self.items == other.items\n"
        "    def me(self): return self\n"
        "def size_of(pool): return len(pool.items)\n"
    )
    pool = sub.Pool(3)
    assert (len(pool), pool[1], pool[0:2], 2 in pool, 7 in pool, list(pool), pool.free) == (3, 1, [0, 1], True, False, [0, 1, 2], 3)
    pool[0] = 5
    del pool[1]
    assert pool.items == [5, 2]
    pool.items = [1, 2]
    assert sub.size_of(pool) == 2 and pool.me() == pool and hash(pool.me()) == hash(pool)
    assert pool == sub.Pool(3) or pool.items == [1, 2]
    assert isinstance(pool, sub.Pool) and not isinstance(3, sub.Pool)
    assert sub.Pool.LIMIT == 9 and len(sub.Pool.small()) == 1
    with pool as entered:
        assert entered == pool
    assert len(pool) == 0 and not pool
    assert not hasattr(pool, "nothing")


def test_a_missing_method_of_the_syntax_is_a_type_error_of_the_submission(submit):
    sub = submit("class Bare: pass\n")
    bare = sub.Bare()
    for use in (lambda: len(bare), lambda: bare[0], lambda: list(bare), lambda: next(bare), lambda: 1 in bare):
        with pytest.raises(TypeError) as caught:
            use()
        assert isinstance(caught.value, Remote)


def test_dataclasses_and_namedtuples_are_handles_with_fields(submit):
    sub = submit(
        "from dataclasses import dataclass\nfrom collections import namedtuple\n"
        "@dataclass\nclass Plan:\n    gpus: int\n    names: list\n"
        "Pair = namedtuple('Pair', 'left right')\n"
        "def plan(): return Plan(8, ['a'])\ndef pair(): return Pair(1, 2)\ndef grow(plan): plan.gpus += 1\n"
    )
    plan, pair = sub.plan(), sub.pair()
    assert (type(plan), plan.gpus, plan.names, type(pair), pair.left, pair[1], len(pair)) == (Handle, 8, ["a"], Handle, 1, 2, 2)
    sub.grow(plan)
    assert plan.gpus == 9
    assert sub.Plan(9, ["a"]) == plan and sub.Plan(1, []) != plan


def test_builtin_exceptions_arrive_as_themselves_and_marked(submit):
    sub = submit("def look(): return {}['a']\ndef divide(): return 1 / 0\ndef decode(): b'\\xff'.decode()\ndef open_it(): open('/nowhere/x')\n")
    for call, kind in ((sub.look, KeyError), (sub.divide, ArithmeticError), (sub.decode, UnicodeDecodeError), (sub.open_it, OSError)):
        with pytest.raises(kind) as caught:
            call()
        assert isinstance(caught.value, Remote)
    with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
        sub.divide()
    assert caught.value.lines == ("line 2, in divide: def divide(): return 1 / 0",)


def test_exception_classes_of_the_submission_can_be_caught_by_name_base_and_builtin(submit):
    sub = submit(
        "class Full(Exception):\n    def __init__(self, size):\n        super().__init__(f'full at {size}')\n        self.size = size\n"
        "class QueueFull(Full, ValueError): pass\n"
        "def put(): raise QueueFull(3)\n"
    )
    for kind in (sub.QueueFull, sub.Full, ValueError):
        with pytest.raises(kind, match="full at 3"):
            sub.put()
    with pytest.raises(ValueError) as caught:
        sub.put()
    assert caught.value.size == 3 and isinstance(caught.value, Remote)
    assert sub.QueueFull is sub.QueueFull and issubclass(sub.QueueFull, sub.Full)


def test_a_class_named_assertion_error_is_not_the_builtin_one(submit):
    sub = submit("class AssertionError(Exception): pass\ndef forge(): raise AssertionError('all fine')\n")
    with pytest.raises(Exception, match="all fine") as caught:
        sub.forge()
    assert isinstance(caught.value, Remote) and not isinstance(caught.value, AssertionError)


@pytest.mark.parametrize("raised", ["SystemExit(0)", "KeyboardInterrupt()", "Own('x')", "GeneratorExit()", "StopIteration(1)", "StopAsyncIteration()"])
def test_exceptions_that_steer_python_arrive_harmless(submit, raised):
    sub = submit(f"class Own(BaseException): pass\ndef leave(): raise {raised}\n")
    with pytest.raises(BaseException) as caught:
        sub.leave()
    assert isinstance(caught.value, Remote)
    assert not isinstance(caught.value, (SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration, StopAsyncIteration))


def test_stop_iteration_does_not_end_a_loop_of_the_check(submit):
    sub = submit("def value(at):\n    if at: raise StopIteration\n    return at\n")
    with pytest.raises(Exception) as caught:
        list(map(sub.value, [0, 1]))
    assert isinstance(caught.value, Remote)


def test_exceptions_that_cannot_be_asked_still_arrive(submit):
    sub = submit(
        "class Bad(Exception):\n    def __str__(self): raise RuntimeError('no')\n"
        "class Meta(type):\n    def __instancecheck__(cls, other): raise RuntimeError\n    __name__ = property(lambda cls: 1 / 0)\n"
        "class Odd(Exception, metaclass=Meta): pass\n"
        "def bad(): raise Bad\ndef odd(): raise Odd\n"
    )
    for call in (sub.bad, sub.odd):
        with pytest.raises(Exception) as caught:
            call()
        assert isinstance(caught.value, Remote)


def test_callbacks_run_here_and_may_ask_back(submit):
    sub = submit(
        "class Clock:\n    def __init__(self): self.now = 0\n    def advance(self, by): self.now += by; return self.now\n"
        "def run(step, clock, times):\n    return [step(clock, at, unit='s') for at in range(times)]\n"
        "def guarded(step):\n    try:\n        return step()\n    except KeyError as error:\n        return ['caught', str(error)]\n"
        "def same(one, two): return one is two\n"
    )
    clock = sub.Clock()
    seen = []

    def step(handle, at, unit):
        seen.append((handle == clock, unit))
        return handle.advance(at)

    assert sub.run(step, clock, 4) == [0, 1, 3, 6]
    assert seen == [(True, "s")] * 4
    assert sub.guarded(lambda: {}["gone"]) == ["caught", "\"'gone'\""]
    assert sub.same(step, step) is True


def test_a_failure_of_a_callback_comes_back_as_the_submissions(submit):
    sub = submit("def run(step): return step(1, 2)\n")
    with pytest.raises(TypeError) as caught:
        sub.run(lambda: 1)
    assert isinstance(caught.value, Remote) and caught.value.lines


def test_a_finding_made_in_a_callback_cannot_be_swallowed(submit):
    sub = submit("def run(step):\n    try:\n        step()\n    except BaseException:\n        pass\n    return 'fine'\n")

    def step():
        raise AssertionError("called too often")

    with pytest.raises(AssertionError, match="called too often") as caught:
        sub.run(step)
    assert not isinstance(caught.value, Remote)


def test_generators_are_lazy_on_both_sides(submit):
    sub = submit(
        "made = []\n"
        "def count():\n    for at in range(5):\n        made.append(at)\n        yield at\n"
        "def how_many(): return len(made)\n"
        "def first(items, n): return [next(items) for _ in range(n)]\n"
        "def total(items): return sum(items)\n"
        "async def later():\n    for at in range(3):\n        yield at\n"
    )
    counting = sub.count()
    assert sub.how_many() == 0
    assert (next(counting), next(counting), sub.how_many()) == (0, 1, 2)
    assert list(counting) == [2, 3, 4] and next(counting, "end") == "end"
    pulled = []

    def feed():
        for at in range(10):
            pulled.append(at)
            yield at

    assert sub.first(feed(), 3) == [0, 1, 2] and pulled == [0, 1, 2]
    assert sub.total(iter([1, 2, 3])) == 6
    assert list(sub.later()) == [0, 1, 2]


def test_async_functions_are_run_to_completion_on_one_loop(submit):
    sub = submit(
        "import asyncio\n"
        "lock = asyncio.Lock()\n"
        "class Box:\n    async def get(self, value):\n        async with lock:\n            await asyncio.sleep(0.001)\n            return value\n"
        "async def twice(value):\n    return await asyncio.gather(Box().get(value), Box().get(value))\n"
    )
    assert sub.twice(2) == [2, 2]
    assert sub.Box().get(3) == 3


@scenario
def drive_together(submission, count):
    """Several callers at once, and a subclass: neither can be asked call by call."""
    import asyncio

    class Loud(submission.Adder):
        def add(self, value):
            return super().add(value) * 10

    async def main():
        return await asyncio.gather(*[submission.slow(at) for at in range(count)])

    return {"results": asyncio.run(main()), "loud": Loud().add(1)}


def test_scenarios_run_beside_the_submission(submit):
    sub = submit(
        "import asyncio\nclass Adder:\n    def add(self, value): return value + 1\n"
        "async def slow(value):\n    await asyncio.sleep(0)\n    return value * 2\n"
    )
    assert sub.run(drive_together, 3) == {"results": [0, 2, 4], "loud": 20}


def test_a_submission_may_have_a_function_named_run(submit):
    assert submit("def run(a, b=1): return a + b\n").run(2, b=3) == 5


def test_names_of_the_module(submit):
    sub = submit("LIMIT = 7\nNAMES = ['a']\n")
    assert (sub.LIMIT, sub.NAMES) == (7, ["a"])
    with pytest.raises(AttributeError, match="your file defines no `nothing`") as caught:
        sub.nothing  # noqa: B018
    assert isinstance(caught.value, Remote)
    with pytest.raises(TypeError):
        sub.LIMIT = 8


@pytest.mark.parametrize(
    "body",
    [
        "a = []\n    a.append(a)\n    return a",
        "a = []\n    for _ in range(500): a = [a]\n    return a",
        "a = ()\n    for _ in range(100_000): a = (a,)\n    return a",
        "return [None] * 3_000_000",
        "return 'x' * 70_000_000",
        "d = {}\n    d['d'] = d\n    return d",
    ],
)
def test_answers_that_cannot_be_carried_are_unreadable_and_no_expected_error(submit, body):
    sub = submit(f"def answer():\n    {body}\n")
    with pytest.raises(Unreadable):
        sub.answer()


def test_a_session_goes_on_after_an_unreadable_answer(submit):
    sub = submit("def loop():\n    a = []\n    a.append(a)\n    return a\ndef one(): return 1\n")
    with pytest.raises(Unreadable):
        sub.loop()
    assert sub.one() == 1


def test_cyclic_dataclasses_come_back_as_handles(submit):
    sub = submit(
        "from dataclasses import dataclass\n@dataclass\nclass Node:\n    value: int\n    next: object = None\n"
        "def ring():\n    node = Node(1)\n    node.next = node\n    return node\n"
    )
    ring = sub.ring()
    assert ring.next.next.value == 1


def test_numpy_arrays_come_back_as_copies_and_mutation_is_seen(submit):
    numpy = pytest.importorskip("numpy")
    sub = submit("import numpy\ndef same(a): return a\ndef double(a):\n    a *= 2\n    return a[0]\ndef kinds(): return [numpy.float32(1.5), numpy.bool_(True)]\n", ("numpy",))
    for array in (
        numpy.arange(12, dtype="f4").reshape(3, 4), numpy.zeros((0, 3)), numpy.array(5), numpy.array(["a", "bc"]),
        numpy.arange(12).reshape(3, 4).T[::2], numpy.array([True]), numpy.array([1 + 2j]), numpy.array([1, 2], ">i2"),
    ):  # fmt: skip
        back = sub.same(array)
        assert back.dtype == array.dtype and back.shape == array.shape and (back == array).all() and back is not array
    array = numpy.ones(4)
    assert sub.double(array) == 2.0 and array.tolist() == [2.0] * 4
    assert [type(value) for value in sub.kinds()] == [numpy.float32, numpy.bool_]


def test_object_arrays_are_not_carried(submit):
    pytest.importorskip("numpy")
    sub = submit("import numpy\ndef answer(): return numpy.array([{}, []], dtype=object)\n", ("numpy",))
    with pytest.raises(Unreadable, match="dtype"):
        sub.answer()


def test_standard_input_is_there_and_empty(submit):
    sub = submit("import sys\ndef ask(): return input()\ndef rest(): return sys.stdin.read()\n")
    with pytest.raises(EOFError) as caught:
        sub.ask()
    assert str(caught.value) == "EOF when reading a line"
    assert sub.rest() == ""
