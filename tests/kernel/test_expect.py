import pytest

from practice.kernel.expect import Finding, expect_close, expect_equal, expect_keys, expect_raises, fail
from practice.kernel.failure import Remote, Unreadable


def found(call):
    with pytest.raises(Finding) as caught:
        call()
    return caught.value


def remote(kind, message):
    made = type(kind.__name__, (Remote, kind), {})()
    made.args, made.message, made.lines = (message,), message, ("line 1",)
    return made


def raises(error):
    def call():
        raise error

    return call


def test_what_holds_returns_nothing():
    assert expect_equal([1], [1]) is None and expect_close(1.0, 1.0 + 1e-12) is None


def test_a_finding_holds_got_expected_difference_and_idea():
    finding = found(lambda: expect_equal([1, 2], [1, 3], "count from one"))
    assert (finding.got, finding.expected, finding.difference, finding.idea) == ("[1, 2]", "[1, 3]", "at [1]: 2, expected 3", "count from one")


def test_the_expected_exception_is_given_back():
    error = remote(ValueError, "capacity is negative")
    assert expect_raises(ValueError, raises(error), says="NEGATIVE") is error
    assert expect_raises((KeyError, ValueError), raises(error)) is error


def test_no_exception_another_one_or_other_words_are_findings():
    assert found(lambda: expect_raises(ValueError, lambda: 3, "refuse it")).expected == "a ValueError"
    finding = found(lambda: expect_raises(ValueError, raises(remote(KeyError, "x"))))
    assert finding.reason == "raised KeyError: x, expected ValueError" and finding.lines == ("line 1",)
    finding = found(lambda: expect_raises(ValueError, raises(remote(ValueError, "no")), says="capacity"))
    assert "saying 'no'" in finding.reason and "'capacity'" in finding.reason


def test_not_written_yet_unreadable_and_our_own_bugs_are_no_expected_error():
    for error in (remote(NotImplementedError, ""), Unreadable("x"), remote(MemoryError, "")):
        with pytest.raises(type(error)):
            expect_raises((RuntimeError, ValueError) if not isinstance(error, Unreadable) else Exception, raises(error))
    with pytest.raises(ZeroDivisionError):
        expect_raises(ValueError, lambda: 1 / 0)


def test_fail_is_worded_by_the_check():
    finding = found(lambda: fail("blocks were lost", "free gives back every block"))
    assert (finding.reason, finding.idea) == ("blocks were lost", "free gives back every block")


def test_keys_are_told_with_the_whole_answer():
    assert expect_keys({"b": 1, "a": 2}, ["a", "b"]) is None
    finding = found(lambda: expect_keys("53.84", ["a", "b"], "six keys"))
    assert (finding.got, finding.expected, finding.idea) == ("'53.84'", "a dict with the keys 'a', 'b'", "six keys")
    assert finding.difference == "a str instead of a dict"
    assert found(lambda: expect_keys({"a": 1, "c": 2}, ["a", "b"])).difference == "the key 'b' is missing, the key 'c' is not expected"
