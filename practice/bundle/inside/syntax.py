"""Where Python's own parser stops, for the editor to underline."""

import warnings
from typing import Any


def syntax(question: dict[str, str], _post: Any = None) -> dict[str, Any] | None:
    """None for a source that compiles, else {"line", "column", "end_line", "end_column", "message"}, all counted from 1."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(question["source"], "submission.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        line, column = error.lineno or 1, max(error.offset or 1, 1)
        return {
            "line": line,
            "column": column,
            "end_line": error.end_lineno or line,
            "end_column": error.end_offset or column + 1,
            "message": f"{type(error).__name__}: {error.msg}",
        }
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        return {"line": 1, "column": 1, "end_line": 1, "end_column": 2, "message": f"{type(error).__name__}: {error}"}
    return None
