"""A submission's text becomes a module, or a LoadError that says what is wrong and where."""

import re
import sys
from functools import lru_cache
from types import CodeType, ModuleType

from practice.kernel import tracebacks

MOST_NAMES = 2000
_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = {"utf-8", "utf8", "utf_8", "utf-8-sig", "ascii", "us-ascii"}


class LoadError(Exception):
    """A submission that does not load. `lines`: the learner's own lines, innermost last."""

    def __init__(self, message: str, lines: list[str]) -> None:
        super().__init__(message)
        self.message = message
        self.lines = lines


def decode_source(data: bytes) -> str:
    """The text of a submission: UTF-8, with or without a byte order mark, any line ends.

    Raises LoadError for another encoding, and for a NUL byte.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LoadError(f"line {line} is not UTF-8 text (byte 0x{data[error.start]:02x})", []) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise LoadError(f"line {text.count(chr(10), 0, text.index(chr(0))) + 1} holds a NUL character", [])
    for number, line in enumerate(text.split("\n", 2)[:2], 1):
        cookie = _COOKIE.match(line)
        if cookie and cookie[1].lower() not in _UTF8:
            raise LoadError(f"line {number} declares the encoding {cookie[1]}, but only UTF-8 is read", [])
    return text


def load(text: str, name: str = "submission") -> ModuleType:
    """Run a submission's text as the module `name`, entered in sys.modules as Python itself would.

    Raises LoadError when it does not compile, or when running it raises anything but MemoryError, which is a limit's.
    """
    module = ModuleType(name)
    module.__file__ = filename = f"{name}.py"
    try:
        code = _compiled(text, filename)
    except SyntaxError as error:
        raise LoadError(*_syntax(error, text)) from None
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:  # MemoryError: the parser's stack is full
        raise LoadError(f"too deeply nested to compile ({type(error).__name__})", []) from None
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except MemoryError:
        raise
    except BaseException as error:
        lines = tracebacks.own_lines(error, filename, text)
        said = tracebacks.message_of(error)
        where = f" ({lines[-1].partition(':')[0]})" if lines else ""
        raise LoadError(f"{tracebacks.class_name(type(error))}: {said}{where}", lines) from None
    return module


@lru_cache(maxsize=4)
def _compiled(text: str, filename: str) -> CodeType:
    """Kept, because the reference is loaded anew for every check, and in the browser the submission, too."""
    return compile(text, filename, "exec", dont_inherit=True)


def kinds_of_names(module: ModuleType) -> dict[str, str]:
    """What the module defines: name -> "function", "class", "error" (an exception class) or "value"."""
    names = [name for name in vars(module) if type(name) is str and not name.startswith("__")]
    return {name: _kind(vars(module)[name]) for name in names[:MOST_NAMES]}


def _kind(value) -> str:
    if isinstance(value, type):
        return "error" if issubclass(value, BaseException) else "class"
    return "function" if callable(value) else "value"


def _syntax(error: SyntaxError, text: str) -> tuple[str, list[str]]:
    number = error.lineno or 0
    shown = tracebacks.source_line(text, number)
    where = [f"line {number}: {shown}" if shown else f"line {number}"] if number else []
    return f"{type(error).__name__} in line {number}: {error.msg}", where
