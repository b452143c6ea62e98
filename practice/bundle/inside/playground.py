"""Free code: what it prints and the figures it shows, as they come."""

import linecache
import sys
import traceback
from typing import Any

from practice.bundle.inside.manual import manual

FILE = "playground.py"
MOST_OUTPUT = 256 * 2**10
"""Characters after which printing ends the run."""
MOST_FIGURES = 20


class TooMuchOutput(Exception):
    """Printed more than MOST_OUTPUT characters."""


class Stream:
    """Stands for stdout and stderr: sends what is written to the page, a few KiB at a time."""

    encoding = "utf-8"

    def __init__(self, post: Any) -> None:
        self._post = post
        self._held = ""
        self._total = 0

    def write(self, text: str) -> int:
        self._total += len(text)
        self._held += text[: max(0, MOST_OUTPUT - self._total + len(text))]
        if self._total > MOST_OUTPUT:
            raise TooMuchOutput(f"printed more than {MOST_OUTPUT >> 10} KiB")
        if len(self._held) > 4096 or "\n" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        held, self._held = self._held, ""
        if held:
            self._post({"output": held})

    def isatty(self) -> bool:
        return False


def play(question: dict[str, str], post: Any) -> dict[str, Any]:
    """Runs the source. Gives {"error": "" or a traceback with the learner's own lines}; posts {"output"} and {"figure": SVG text}.

    The source may call `show(svg)`: text that starts with `<svg`, or an object with `_repr_svg_`; `help` is manual.py's.
    """
    source, figures = question["source"], []

    def show(figure: Any) -> None:
        """Shows an SVG figure below the output."""
        text = figure._repr_svg_() if hasattr(figure, "_repr_svg_") else str(figure)
        if not text.lstrip().startswith(("<svg", "<?xml")):
            raise ValueError(f"show() got {text[:40]!r}, but it takes the text of an SVG")
        if len(figures) >= MOST_FIGURES:
            raise ValueError(f"show() was called more than {MOST_FIGURES} times")
        figures.append(1)
        out.flush()
        post({"figure": text})

    out = Stream(post)
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = out
    error = ""
    try:
        if sys.platform == "emscripten":
            from practice.kernel import eventloop

            eventloop.replace_asyncio_run()
        exec(compile(source, FILE, "exec", dont_inherit=True), {"__name__": "__main__", "show": show, "help": manual})
    except SystemExit as asked:
        error = "" if asked.code is None or isinstance(asked.code, int) else f"{asked.code}\n"
    except BaseException as raised:
        error = _told(raised)
    finally:
        sys.stdout, sys.stderr = before
        out.flush()
    return {"error": error}


def _told(error: BaseException) -> str:
    """The traceback from the learner's first line on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != FILE:
        trace = trace.tb_next
    lines = traceback.format_exception(type(error), error, trace)
    return "".join(lines if len(lines) < 40 else [*lines[:20], "...\n", *lines[-15:]])[:20_000] + _hint(error)


def _hint(error: BaseException) -> str:
    """What to do about a module that is not here."""
    package = (getattr(error, "name", None) or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if not package or package in sys.modules:
        return ""
    if package in sys.stdlib_module_names:
        return f"\nhint: `{package}` is one of the few parts of the standard library that a browser has no use for; run this with Python on your machine\n"
    here = "the standard library, numpy and sim" if "numpy" in sys.modules else "the standard library and sim"
    return f"\nhint: only {here} can be imported here; for `{package}`, run this with Python on your machine\n"
