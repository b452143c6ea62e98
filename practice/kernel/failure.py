"""What the submission raised, as the judge's side sees it, and the end of a session."""

import builtins

_NOT_PASSED = {"StopIteration", "StopAsyncIteration", "ExceptionGroup", "BaseExceptionGroup"}
"""Would end a loop of the check unseen, or cannot be made without arguments: they arrive as a plain Exception."""


class SessionEnded(BaseException):
    """The other side is gone. A BaseException, so that no check's `except Exception` hides it."""


class Remote:
    """Mixed into every exception that came from the other side, whatever its class calls itself.

    A class of the submission named AssertionError is never the builtin one, and even a true AssertionError of the
    submission is marked by this class, so neither can pass for a check's finding.
    """

    message = ""
    """What the exception said."""
    lines: tuple[str, ...] = ()
    """The learner's own lines, innermost last."""
    link = None
    """The session it came from."""
    number = None
    """Its number there, for attributes of its own."""

    def __str__(self) -> str:
        return self.message

    def __getattr__(self, name: str):
        if self.link is None or self.number is None or name.startswith("__"):
            raise AttributeError(name)
        return self.link.get(self.number, name)


class Unreadable(Remote, Exception):
    """What came back is no answer, or one that cannot be carried; no builtin class, so that no expected error is it."""


_MOST_BASES = 16
_MOST_CLASSES = 500
"""Making a class with many bases takes quadratic time."""


class ErrorClasses:
    """The local classes that stand for the exception classes of one session, bases and all."""

    def __init__(self) -> None:
        self._made: dict = {}

    def find(self, described) -> type:
        """The class for ["number", name, bases] or a builtin's name; the same one every time."""
        key = described if type(described) is str else described[0]
        if key not in self._made:
            if len(self._made) >= _MOST_CLASSES:
                raise ValueError("too many exception classes")
            self._made[key] = _builtin(described) if type(described) is str else self._made_from(described)
        return self._made[key]

    def _made_from(self, described) -> type:
        _, name, bases = described
        if type(described[0]) is not int or type(name) is not str or type(bases) is not list or not 0 < len(bases) <= _MOST_BASES:
            raise ValueError("not an exception class")
        found = dict.fromkeys(self.find(base) for base in bases)
        try:
            return type(name if name.isidentifier() else "Error", tuple(found), {"__module__": "submission"})
        except TypeError:  # bases that do not go together here
            return type("Error", (self.find("Exception"),), {"__module__": "submission"})


def raised(kind: type, message, lines, link, number) -> BaseException:
    """An exception of a class that `ErrorClasses` made."""
    error = kind.__new__(kind)
    error.args = (message,)
    error.message, error.lines, error.link, error.number = str(message), tuple(map(str, lines)), link, number
    return error


def builtin_name(error: BaseException) -> str:
    """The name of the nearest builtin exception class: what the other side can be told."""
    for base in type(error).__mro__:
        if getattr(builtins, base.__name__, None) is base:
            return base.__name__
    return "Exception"


def _builtin(name: str) -> type:
    base = getattr(builtins, name, None)
    if not isinstance(base, type) or not issubclass(base, BaseException):
        raise ValueError(f"{name!r:.40} is no exception")
    if not issubclass(base, Exception):
        base = BaseException  # a remote KeyboardInterrupt or SystemExit must not end the judge
    elif name in _NOT_PASSED:
        base = Exception
    return type(name, (Remote, base), {"__module__": "submission"})
