import random

import pytest

from practice.kernel.text import clean, kind_of, show


def test_values_are_shown_as_python_writes_them():
    for value in (None, True, 1, -2.5, 1e300, float("nan"), "it's", b"a\0", [1, "a"], (1,), (), {"a": [1]}, {1}, 1j, [], {}):
        assert show(value) == repr(value)
    assert show(set()) == "set()" and show(frozenset({1})) == "frozenset({1})" and show(bytearray(b"\1")) == "bytearray([1])"


def test_round_large_floats_are_shown_as_one_writes_them():
    shown = {100500000000.0: "100.5e9", -141e9: "-141e9", 80e9: "80e9", 1e6: "1e6", 50_000.0: "50000.0", 123456789.0: "123456789.0", 1e22: "1e+22"}
    for value, text in shown.items():
        assert show(value) == text and float(text) == value
    assert show([3350e9, 0.05]) == "[3.35e12, 0.05]"


def test_values_of_any_size_are_shown_in_bounded_space_and_time():
    huge = {at: [at] * 1000 for at in range(10_000)}
    for value in (10**5000, -(10**100_000), "x" * 10**6, [0] * 10**6, huge, [[huge] * 10] * 10, b"\0" * 10**6, [10**5000] * 100):
        assert len(show(value, 80)) < 400
    assert show(10**5000 + 7) == "...000000000007 (an int of about 5,001 digits)"
    assert show(list(range(1000)), 20) == "[0, 1, 2, 3, 4, 5, ... 994 more]"


def test_a_self_referencing_list_is_shown():
    ring = [1]
    ring.append(ring)
    table = {}
    table["self"] = table
    assert show(ring).startswith("[1, [1, [1, ")
    assert len(show(table)) < 300


def test_an_object_whose_repr_raises_is_shown():
    class Bad:
        def __repr__(self):
            raise ValueError

    assert "cannot be shown" in show([Bad()])


def test_nothing_shown_can_steer_a_terminal():
    for text in ("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\ud800", "a\rb", "\x9b31m", "\u202eabc", "\0"):
        for made in (show(text), clean(text), show([text]), show({text: 1})):
            assert made.isprintable(), made
            made.encode("utf-8")


def test_clean_keeps_lines_and_drops_colours():
    assert clean("\x1b[1mone\x1b[0m\n\ttwo") == "one\n\ttwo"
    assert clean("x" * 100, 10) == "xxxxxxxxxx... (10 more characters)" or clean("x" * 100, 10).startswith("xxxxxxxxxx...")


def test_random_nested_values_never_raise_and_stay_short():
    rng = random.Random(5)

    def make(depth):
        if depth == 0:
            return rng.choice([0, 1.5, "\ud800" * 50, b"\xff" * 50, None, 10**5000, float("inf")])
        items = [make(depth - 1) for _ in range(rng.randrange(6))]
        return rng.choice([items, tuple(items), {at: item for at, item in enumerate(items)}])

    for _ in range(200):
        text = show(make(rng.randrange(5)), 100)
        assert len(text) < 600 and text.isprintable()


def test_kinds_have_an_article():
    assert [kind_of(value) for value in (1, [1], {}, None, "a")] == ["an int", "a list of 1 item", "a dict of 0 items", "None", "a str"]


def test_small_arrays_are_shown_as_they_would_be_typed():
    numpy = pytest.importorskip("numpy")
    assert show(numpy.array([[0.5, 2.0], [-1 / 3, 1e-12]])) == "array([[0.5, 2.0], [-0.33333333, 1e-12]])"
    assert show(numpy.array([1.5, 2.0], "f4")) == "array([1.5, 2.0], dtype=float32)"
    assert show(numpy.array([3, 4])) == "array([3, 4])"
    assert show(numpy.float64(2.5)) == "2.5"


def test_large_arrays_are_shown_by_their_beginning_and_shape():
    numpy = pytest.importorskip("numpy")
    text = show(numpy.zeros((100, 100)), 40)
    assert text.startswith("array([0.0, 0.0, ") and text.endswith("... 9,992 more], shape=(100, 100))")
