"""The learner's own lines of an exception, and nothing of ours."""

import sys

MOST_LINES = 10
"""Of a deep recursion the outer and inner half of this are kept."""
MOST_CHARACTERS = 200
_NAME = vars(type)["__name__"].__get__


def own_lines(error: BaseException, filename: str, source: str) -> list[str]:
    """The lines of `filename` that the exception passed through, innermost last: `line 12, in plan: return kv / 0`.

    An exception whose own lines were all in other files gives [].
    """
    frames = []
    trace = BaseException.__traceback__.__get__(error)
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == filename:
            frames.append((trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    texts = source.splitlines()
    lines = [_line(number, name, texts) for number, name in _ends(frames)]
    if len(frames) > MOST_LINES:
        lines.insert(MOST_LINES // 2, f"... {len(frames) - MOST_LINES} more lines ...")
    return lines


def message_of(error: BaseException) -> str:
    """What the exception says, or "" when it cannot be asked. Runs the learner's `__str__`."""
    try:
        return str(str(error))[:10_000]
    except BaseException as second:
        return f"(its message cannot be read: {class_name(type(second))})"


def class_name(kind: type) -> str:
    """The true name of a class, whatever its metaclass says it is."""
    return str(_NAME(kind))


def source_line(source: str, number: int) -> str:
    """One line of the source, without its indentation and not too long."""
    return _text(number, source.splitlines())


def forget_frames(error: BaseException) -> None:
    """Let go of the frames, and what they hold, of an exception that is kept."""
    error.__traceback__ = error.__context__ = error.__cause__ = None
    sys.last_value = None


def _ends(frames: list) -> list:
    if len(frames) <= MOST_LINES:
        return frames
    half = MOST_LINES // 2
    return frames[:half] + frames[-half:]


def _line(number: int, name: str, texts: list[str]) -> str:
    where = f"line {number}" if name == "<module>" else f"line {number}, in {name}"
    text = _text(number, texts)
    return f"{where}: {text}" if text else where


def _text(number: int, texts: list[str]) -> str:
    text = texts[number - 1].strip() if 0 < number <= len(texts) else ""
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 3] + "..."
