"""What a check expects of an answer. Each function returns when it holds and raises a Finding when it does not."""

from collections.abc import Callable, Iterable

from practice.kernel import compare
from practice.kernel.failure import Remote, Unreadable
from practice.kernel.text import clean, kind_of, show

_SHOWN = 1000
"""Characters of a value kept in a finding; the message shortens further."""


class Finding(AssertionError):
    """What a check found wrong; judging adds the call."""

    def __init__(self, *, value=None, got: str = "", expected: str = "", difference: str = "", idea: str = "", reason: str = "") -> None:
        super().__init__(reason or difference or f"got {got}, expected {expected}")
        self.value = value
        """The answer itself, to tell whether it is what the last call gave."""
        self.got = got
        self.expected = expected
        self.difference = difference
        self.idea = idea
        self.reason = reason
        """The finding in words, where got and expected do not say it."""
        self.lines: tuple[str, ...] = ()
        """The learner's own lines, when the finding is about what was raised."""


def expect_equal(got, expected, idea: str = "", *, strict: bool = False) -> None:
    """Exact equality; see compare.equal for what that means."""
    _expect(compare.equal(got, expected, strict=strict), got, expected, idea)


def expect_close(got, expected, idea: str = "", *, rel: float = 1e-9, abs: float = 0.0, nan_equal: bool = False) -> None:
    """Numbers, arrays and nested containers within a tolerance; see compare.close."""
    _expect(compare.close(got, expected, rel=rel, abs=abs, nan_equal=nan_equal), got, expected, idea)


def expect_keys(got, keys: Iterable[str], idea: str = "") -> None:
    """A dict with exactly these keys, in any order."""
    wanted = sorted(keys)
    if type(got) is dict and set(got) == set(wanted):
        return
    found = compare.equal(dict.fromkeys(got), dict.fromkeys(wanted)) if type(got) is dict else f"{kind_of(got)} instead of a dict"
    listed = ", ".join(map(repr, wanted))
    raise Finding(value=got, got=show(got, _SHOWN), expected=f"a dict with the keys {listed}", difference=found or "", idea=idea)


def expect_raises(errors: type | tuple[type, ...], call: Callable[[], object], idea: str = "", *, says: str = "") -> Exception:
    """The exception that `call` raises, which must be one of `errors` and say the words `says` (case ignored)."""
    wanted = errors if isinstance(errors, tuple) else (errors,)
    names = " or ".join(error.__name__ for error in wanted)
    try:
        value = call()
    except wanted as error:
        if isinstance(error, Unreadable) or (isinstance(error, NotImplementedError) and NotImplementedError not in wanted):
            raise  # nothing was raised on purpose: no answer, or a function that is not written yet (a RuntimeError to Python)
        if says.lower() not in str(error).lower():
            said = show(clean(str(error), 200))
            raise _about(error, f"raised {type(error).__name__} saying {said}, expected the words {says!r} in it", names, idea) from None
        return error
    except Exception as error:
        if not isinstance(error, Remote) or isinstance(error, (NotImplementedError, MemoryError, Unreadable)):
            raise
        raise _about(error, f"raised {_named(error)}, expected {names}", names, idea) from None
    raise Finding(value=value, got=show(value, _SHOWN), expected=f"a {names}" if len(wanted) == 1 else names, idea=idea)


def fail(reason: str, idea: str = "") -> None:
    """A finding that none of the others words: `reason` is a sentence, lower case at the start, no full stop."""
    raise Finding(reason=reason, idea=idea)


def _expect(difference: str | None, got, expected, idea: str) -> None:
    if difference is not None:
        raise Finding(value=got, got=show(got, _SHOWN), expected=show(expected, _SHOWN), difference=difference, idea=idea)


def _about(error: BaseException, reason: str, names: str, idea: str) -> Finding:
    finding = Finding(got=_named(error), expected=names, reason=reason, idea=idea)
    finding.lines = getattr(error, "lines", ())
    return finding


def _named(error: BaseException) -> str:
    said = clean(str(error), 200)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
