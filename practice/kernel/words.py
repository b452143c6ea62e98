"""The fixed sentences of a verdict, the same for shell and page."""

from collections.abc import Sequence

from practice.kernel.exercise import Limits
from practice.kernel.verdict import CheckResult, Status

NOT_WRITTEN = "not written yet"
ENDED_EARLY = "your program ended before it answered"
_ENDINGS = {
    "SystemExit": "tried to end the program (SystemExit)",
    "KeyboardInterrupt": "raised KeyboardInterrupt, which is for people at a keyboard",
    "RecursionError": "called itself too deeply (RecursionError)",
}


def headline(status: Status, results: Sequence[CheckResult]) -> str:
    """One line for the whole verdict."""
    ran = [result for result in results if result.status is not Status.NOT_RUN]
    passed = sum(result.status is Status.ACCEPTED for result in ran)
    of = f"{passed} of {len(results)} checks passed"
    first = next((result for result in ran if result.status is not Status.ACCEPTED), None)
    if first is None:
        return f"all {len(results)} checks passed" if len(results) != 1 else "the check passed"
    if first.message.endswith(NOT_WRITTEN) and not passed:
        return NOT_WRITTEN
    return {
        Status.COMPILE_ERROR: f"does not load: {first.message}",
        Status.JUDGE_ERROR: "the judge failed; this is our fault, not yours",
    }.get(status, f"{of}; first failed: {first.title}")


def raised(name: str, said: str, call: str, lines: Sequence[str]) -> str:
    """What an exception of the submission means: `plan(0)` raised ZeroDivisionError: division by zero. call: in backquotes."""
    subject = call or "your program"
    if name == "NotImplementedError":
        function = lines[-1].partition(":")[0].partition(" in ")[2] if lines else ""
        return f"`{function}` is {NOT_WRITTEN}" if function else f"{subject} is {NOT_WRITTEN}"
    if name == "Unreadable":
        return f"{subject} gave an answer that cannot be read: {said}"
    if name in _ENDINGS:
        return f"{subject} {_ENDINGS[name]}"
    where = f" ({lines[-1].partition(':')[0]})" if lines else ""
    return f"{subject} raised {name}: {said}{where}" if said else f"{subject} raised {name}{where}"


def limit(status: Status, limits: Limits, seconds: float, reason: str) -> str:
    """What going over a limit means."""
    if status is Status.TIME_LIMIT:
        return f"no answer within {seconds:.3g} s" + (f": {reason}" if reason else "")
    if status is Status.MEMORY_LIMIT:
        return f"needed more than {limits.memory >> 20} MiB of memory"
    if status is Status.OUTPUT_LIMIT:
        return f"printed more than {limits.output >> 10} KiB"
    return reason or ENDED_EARLY


def missing(kind: str, name: str, near: str) -> str:
    """A name that the exercise asks for and the file does not define."""
    return f"your file defines no {kind} `{name}`" + (f"; did you mean `{near}`, which it does define?" if near else "")


def unusable(call: str, got: str, error: str) -> str:
    """An answer of a kind that the check could not go on with, though it can with the reference's."""
    if not call:
        return f"your program gave something which is not the kind of answer that was asked for ({error})"
    return f"{call} gave {got}, which is not the kind of answer that was asked for ({error})"
