"""What is printed in our own process: of a submission kept up to a limit, of a check put aside for its author."""

import io
import sys
import warnings

from practice.kernel.text import clean


class Captured:
    """A text stream that keeps what is written to it, up to `limit` characters in all."""

    encoding = "utf-8"
    errors = "backslashreplace"
    closed = False

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self._size = 0
        self.overflowed = False
        """True once more was written than the limit; the rest is not kept."""

    def write(self, text: str) -> int:
        """Raises TypeError for what is not text, as any text stream, and OutputFull past the limit."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._size += len(text)
        if self._size > self._limit:
            self.overflowed = True
            raise OutputFull("too much output")
        self._parts.append(str.__str__(text))
        return len(text)

    def writelines(self, lines) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("this stream has no file descriptor")

    def text(self) -> str:
        return "".join(self._parts)


class Aside(Captured):
    """What a check prints: standard output belongs to the verdict, so it goes to standard error, without escape sequences."""

    def __init__(self, limit: int = 4096) -> None:
        super().__init__(limit)
        self._stream = sys.stderr

    def write(self, text: str) -> int:
        """Past the limit nothing is shown any more."""
        if not self.overflowed and self._stream is not None:
            self._stream.write(clean(str(text), self._limit))
        self._size += len(text)
        self.overflowed = self._size > self._limit
        return len(text)


class OutputFull(BaseException):
    """More was printed than the limit; a BaseException, so that `except Exception` does not print on."""


class Redirected:
    """Within it, sys.stdout and sys.stderr are `stream` and sys.stdin is empty; afterwards they are what they were."""

    def __init__(self, stream: Captured) -> None:
        self._stream = stream

    def __enter__(self) -> None:
        self._before = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), self._stream, self._stream

    def __exit__(self, *_error) -> None:
        sys.stdin, sys.stdout, sys.stderr = self._before


class Quiet:
    """Around a check: what it prints goes aside, and numpy's warnings about a submission's answers are nobody's to read."""

    def __enter__(self) -> None:
        self._stdout, sys.stdout = sys.stdout, Aside()
        self._warnings = warnings.catch_warnings()
        self._warnings.__enter__()
        warnings.simplefilter("ignore")

    def __exit__(self, *error) -> None:
        self._warnings.__exit__(*error)
        sys.stdout = self._stdout
