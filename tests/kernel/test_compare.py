import math

import pytest

from practice.kernel.compare import close, equal

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("got", "expected"),
    [(1, 1), (1, 1.0), (0.0, -0.0), (INF, INF), ("a", "a"), (None, None), ([1, (2,)], [1, (2,)]), ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
     ({1, 2}, {2, 1}), ({1}, frozenset({1})), (True, True), (10**400, 10**400), (b"a", b"a"), ([], []), (1 + 0j, 1)],
)  # fmt: skip
def test_equal_values(got, expected):
    assert equal(got, expected) is None
    assert close(got, expected) is None


@pytest.mark.parametrize(
    ("got", "expected"),
    [(1, 2), (True, 1), (1, True), (0, False), (1.0, True), (INF, -INF), (NAN, NAN), (NAN, 1.0), (1.0, NAN), ("1", 1), (None, 0), (None, False),
     ([1], (1,)), ((1,), [1]), ([1], [1, 2]), ([True], [1]), ({"a": 1}, {"a": True}), ({1}, [1]), ({}, []), ("a", b"a"), (10**400, 10**400 + 1),
     ([NAN], [NAN]), (INF, 1e308), (1, None), ("", None), ([[]], [()])],
)  # fmt: skip
def test_different_values(got, expected):
    assert equal(got, expected) is not None
    if not (isinstance(got, int) and isinstance(expected, int) and got > 10**9):
        assert close(got, expected) is not None


def test_strict_minds_types_and_the_sign_of_zero():
    assert equal(1.0, 1, strict=True) == "1.0 is a float, expected an int"
    assert "wrong sign" in equal(-0.0, 0.0, strict=True)
    assert equal({1}, frozenset({1}), strict=True) is not None
    assert equal([1, 2.0], [1, 2.0], strict=True) is None


def test_a_scalar_difference_says_no_more_than_the_values():
    assert equal(2, 3) == "" and equal("a", "b") == ""


def test_the_path_to_the_first_difference():
    assert equal([1, {"kv": [1, 2]}], [1, {"kv": [1, 3]}]) == "at [1]['kv'][1]: 2, expected 3"
    assert equal([[1, 2], [3]], [[1, 2], [3, 4]]) == "at [1]: 1 item, expected 2; the first is right"
    assert equal([1, 2, 3], [1, 9]) == "3 items, expected 2; first difference at [1]"
    assert equal({"a": 1, "c": 2}, {"a": 1, "b": 2}) == "the key 'b' is missing, the key 'c' is not expected"
    assert equal({1, 2, 3}, {1, 4}) == "the item 4 is missing, the items 2, 3 are not expected"
    assert equal((1, 2), [1, 2]) == "a tuple of 2 items, expected a list of 2 items"
    assert equal([True], [1]) == "at [0]: a bool, expected an int"
    assert equal([None], [1]) == "at [0]: None, expected 1"


def test_long_texts_are_compared_where_they_differ():
    reason = equal("a" * 5000 + "b", "a" * 5000 + "c")
    assert "first difference at character 5,000" in reason and len(reason) < 250


def test_close_minds_the_tolerance():
    assert close(1.0 + 1e-10, 1.0) is None and close(1.0 + 1e-8, 1.0) is not None
    assert close(1e-12, 0.0) is not None and close(1e-12, 0.0, abs=1e-9) is None
    assert close(100, 101, rel=0.01) is None and close(98, 100, rel=0.01) is not None
    assert close(1 + 1e-12j, 1 + 0j, rel=1e-9) is None
    assert close({"a": [1.0 + 1e-12, (2,)]}, {"a": [1.0, (2,)]}) is None
    assert close(9.9, 10.0) == "off by 0.1 (1%)"
    assert close(26920.55676144422, 53.84111352288844) == "500 times too large"
    assert close([-2.0], [-2048.0]) == "at [0]: -2.0, expected -2048.0, 1024 times too small"
    assert close(1.0, 0.0) == "off by 1" and close(-50.0, 2.0) == "off by 52"
    assert close([9.9], [10.0]).startswith("at [0]: 9.9, expected 10.0, off by 0.1")


def test_close_minds_nan_and_infinity():
    assert close(NAN, NAN, nan_equal=True) is None and close([NAN], [NAN], nan_equal=True) is None
    assert close(NAN, 1.0, nan_equal=True) is not None and close(1.0, NAN, nan_equal=True) is not None
    assert close(INF, INF) is None and close(-INF, INF) is not None and close(1e308, INF, rel=10) is not None
    assert close(complex(INF, 0), 1.0) is not None


def test_close_knows_ints_beyond_floats():
    assert close(10**400 + 1, 10**400) is None and close(2 * 10**400, 10**400) is not None
    assert close(10**400, 1.0) is not None and close(1.0, 10**400) is not None


def test_values_that_nest_for_ever_are_compared():
    one, other = [], []
    one.append(one)
    other.append(other)
    assert equal(one, other) == "nested too deeply to compare"


@pytest.fixture
def numpy():
    return pytest.importorskip("numpy")


def test_numpy_scalars_count_as_numbers(numpy):
    assert equal(numpy.int64(3), 3) is None and equal([numpy.float64(2)], [2]) is None and equal(numpy.bool_(True), True) is None
    assert equal(numpy.bool_(True), 1) is not None and equal(numpy.float32("nan"), numpy.float32("nan")) is not None
    assert close(numpy.float32(0.1), 0.1, rel=1e-6) is None and close(numpy.float32(0.1), 0.1) is not None
    assert close(numpy.longdouble(1.5), 1.5) is None


def test_arrays_shape_and_dtype_first(numpy):
    zeros = numpy.zeros((2, 3))
    assert equal(zeros, numpy.zeros((3, 2))) == "shape (2, 3), expected (3, 2)"
    assert equal(zeros, numpy.zeros((2, 3), "f4")) == "dtype float64, expected float32"
    assert close(zeros, numpy.zeros((2, 3), "f4")) is None
    assert close(zeros.astype(bool), zeros) == "dtype bool, expected float64"
    assert equal([0.0], numpy.zeros(1)) == "a list of 1 item, expected an array of shape (1,) and dtype float64"
    assert equal({"k": zeros}, {"k": zeros.copy()}) is None
    assert equal(numpy.zeros((0, 3)), numpy.zeros((0, 3))) is None


def test_arrays_count_first_index_and_largest_errors(numpy):
    expected = numpy.arange(6.0).reshape(2, 3)
    got = expected.copy()
    got[0, 2], got[1, 1] = 2.5, 0.0
    reason = close(got, expected)
    assert reason == "2 of 6 elements wrong, the first at [0, 2]: 2.5, expected 2.0; largest error 4 (relative 1)"
    assert equal(got, expected) == reason
    got[:] = NAN
    assert close(got, expected).startswith("6 of 6 elements wrong, the first at [0, 0]: nan, expected 0.0")
    assert close(got, got, nan_equal=True) is None and close(got, got) is not None
    infinite = numpy.array([INF, 1.0])
    assert close(infinite, infinite) is None and close(-infinite, infinite) is not None
    assert close(numpy.array([1e308, 1.0]), infinite, rel=10) is not None and close(infinite, numpy.array([1.0, 1.0])) is not None


def test_arrays_of_text_bools_and_unsigned(numpy):
    assert equal(numpy.array(["a", "b"]), numpy.array(["a", "c"])) == "1 of 2 elements wrong, the first at [1]: b, expected c"
    assert close(numpy.array([True, False]), numpy.array([True, True])).startswith("1 of 2 elements wrong, the first at [1]: False")
    assert "largest error 3" in equal(numpy.array([1], "u1"), numpy.array([4], "u1"))
