"""The child process that runs a chapter's blocks: `python -m practice.chapters.child`, steps in, results out.

Reads one JSON object from stdin: {"file": ..., "root": ..., "steps": [...]}, a step being {"kind": "block", "line": ..., "source": ...} or
{"kind": "value", "expression": ...}.
Writes one JSON line per step, so that the parent knows how far it came when it had to stop it, and last the files it imported.
"""

import contextlib
import io
import json
import os
import sys
import traceback

from practice.chapters.figures import check_svg

OUTPUT_LIMIT = 256 * 2**10


class Printed(io.StringIO):
    """What a block prints, up to a limit."""

    def write(self, text: str) -> int:
        if self.tell() + len(text) > OUTPUT_LIMIT:
            raise ValueError(f"this block prints more than {OUTPUT_LIMIT // 2**10} KiB")
        return super().write(text)


def main() -> None:
    task = json.load(sys.stdin)
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    figures: list = []
    names = {"__name__": "__main__", "figure": lambda svg, caption: figures.append(checked(svg, caption))}
    for step in task["steps"]:
        result = run_block(step, task["file"], names, figures) if step["kind"] == "block" else evaluate(step["expression"], names)
        print(json.dumps(result), file=results, flush=True)
        if "error" in result and step["kind"] == "block":
            break
    print(json.dumps({"imported": imported_files(task["root"])}), file=results, flush=True)


def checked(svg: str, caption: str) -> dict:
    reason = check_svg(svg)
    if reason:
        raise ValueError(f"this figure cannot be shown: {reason}")
    return {"svg": svg, "caption": caption}


def run_block(step: dict, file: str, names: dict, figures: list) -> dict:
    """Runs one block; its lines keep the numbers they have in the chapter's file."""
    figures.clear()
    printed = Printed()
    try:
        code = compile("\n" * step["line"] + step["source"], file, "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, names)
    except BaseException as error:  # whatever a block raises, SystemExit too, is told to the author
        return {"output": printed.getvalue(), "error": describe(error), "line": error_line(error, file, step["line"])}
    return {"output": printed.getvalue(), "figures": list(figures)}


def evaluate(expression: str, names: dict) -> dict:
    """Text of `expression` formatted as an f-string would, and its number if it is one."""
    try:
        code, spec = split_format(expression)
        value = eval(code, names)
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
        return {"text": format(value, spec), "number": number}
    except BaseException as error:
        return {"error": describe(error)}


def split_format(expression: str):
    """(compiled expression, format): the format is what follows the last colon, if the rest compiles without it."""
    if ":" in expression:
        head, _, spec = expression.rpartition(":")
        with contextlib.suppress(SyntaxError):
            return compile(head, "value", "eval"), spec
    return compile(expression, "value", "eval"), ""


def describe(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]


def error_line(error: BaseException, file: str, default: int) -> int:
    """Line of the chapter where it happened."""
    if isinstance(error, SyntaxError) and error.filename == file and error.lineno:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else default


def imported_files(root: str) -> list[str]:
    """Files under root that were imported, as paths from it."""
    found = set()
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if path and os.path.abspath(path).startswith(root + os.sep):
            found.add(os.path.relpath(path, root).replace(os.sep, "/"))
    return sorted(found)


if __name__ == "__main__":
    main()
