"""A trial becomes what the learner reads: one CheckResult in plain sentences."""

from practice.kernel import calls, compared, words
from practice.kernel.checklist import Check
from practice.kernel.exercise import Exercise
from practice.kernel.expect import Finding
from practice.kernel.failure import Remote
from practice.kernel.text import clean, show
from practice.kernel.trial import Trial
from practice.kernel.verdict import CheckResult, Status

_SHORT = 80
"""Characters up to which a value stands in the sentence; the difference stands for a longer one."""
_LONG = 2000
_OUTPUT = 4096


def not_run(check: Check) -> CheckResult:
    """A check that an earlier one kept from running."""
    return CheckResult(check.name, Status.NOT_RUN, check.title, check.shown)


def result_of(check: Check, trial: Trial, exercise: Exercise, limit_seconds: float) -> CheckResult:
    """What the check found, in words."""
    told = {name: clean(value, _LONG) if type(value) is str else value for name, value in _told(trial, exercise, limit_seconds).items()}
    return CheckResult(
        name=check.name,
        status=trial.status,
        title=check.title,
        shown=check.shown,
        output=clean(trial.usage.output, _OUTPUT),
        seconds=trial.usage.seconds,
        **told,
    )


def unusable_answer(trial: Trial, reference: Trial) -> dict:
    """Fields for an answer on which the check itself broke, though it does not on the reference's."""
    shown = _calls(trial)
    got = show(trial.link.last_value)
    request = trial.link.last[-1][0] if trial.link.last else b""
    expected = calls.answer_at(reference.link, len(trial.link.record) - 1, request) or ""
    error = clean(f"{type(trial.error).__name__}: {trial.error}", 200)
    message = words.unusable(calls.told(shown[-1]) if shown else "", show(trial.link.last_value, _SHORT), error)
    return {"message": message, "call": "; ".join(shown), "got": got, "expected": expected}


def _told(trial: Trial, exercise: Exercise, limit_seconds: float) -> dict:
    if trial.status is Status.ACCEPTED:
        return {}
    if trial.usage.ended is not None:
        return _of_ending(trial, exercise, limit_seconds)
    if trial.problem:
        return {"message": clean(trial.problem[0], 500), "traceback": _lines(trial.problem[1])}
    if trial.missing:
        return {"message": _missing(trial, exercise)}
    if trial.status is Status.JUDGE_ERROR:
        return _of_our_bug(trial)
    if isinstance(trial.error, Remote):
        return _of_exception(trial)
    if isinstance(trial.error, AssertionError):
        return _of_finding(trial.error, trial, exercise)
    return {"message": words.ENDED_EARLY}


def _of_ending(trial: Trial, exercise: Exercise, limit_seconds: float) -> dict:
    shown = _calls(trial)
    said = words.limit(trial.usage.ended, exercise.limits, limit_seconds, clean(trial.usage.reason, 300))
    return {"message": said, "call": "; ".join(shown)}


def _of_exception(trial: Trial) -> dict:
    error, shown = trial.error, _calls(trial)
    if isinstance(error, MemoryError):
        message = "ran out of memory"
    else:
        message = words.raised(type(error).__name__, clean(str(error), 300), calls.told(shown[-1]) if shown else "", _lines(error.lines))
    return {"message": message, "call": "; ".join(shown), "traceback": _lines(error.lines)}


def _of_finding(error: AssertionError, trial: Trial, exercise: Exercise) -> dict:
    shown = _calls(trial)
    if not isinstance(error, Finding):
        error = Finding(reason=clean(str(error), 500) or "an expectation of the check does not hold")
    idea = clean(error.idea, 500)
    is_answer = error.value is trial.link.last_value or error.got == show(trial.link.last_value, 1000)
    part = _part(error, trial, exercise, shown[-1]) if shown and error.got and not is_answer else ""
    shown = [*shown[:-1], part] if part else shown
    message = _sentence(error, shown, is_answer or bool(part))
    return {
        "message": f"{message}: {idea}" if idea else message,
        "call": "; ".join(shown),
        "got": error.got,
        "expected": error.expected,
        "difference": error.difference,
        "idea": idea,
        "traceback": _lines(error.lines),
    }


def _part(finding: Finding, trial: Trial, exercise: Exercise, call: str) -> str:
    """The compared part of the last answer, `plan(20)['gpus']`, or "" where it is none."""
    bare = calls.bare(call)
    part = compared.expression(finding, exercise.checks, trial.link, bare)
    return part and part + call.removeprefix(bare)


def _sentence(finding: Finding, shown: list[str], is_answer: bool) -> str:
    """`pool.free(2)` gave 1, expected 2."""
    shown = [calls.told(call) for call in shown]
    before = _before(shown)
    if finding.reason:
        if finding.lines or finding.got and not finding.difference and shown:
            return f"{before}{shown[-1]} {finding.reason}" if shown else finding.reason
        return _after(shown, finding.reason)
    if len(finding.got) <= _SHORT and len(finding.expected) <= _SHORT:
        pair = f"{finding.got}, expected {finding.expected}"
        detail = f" ({finding.difference})" if finding.difference and finding.difference not in pair else ""
        if is_answer and shown:
            return f"{before}{shown[-1]} gave {pair}{detail}"
        return _after(shown, f"got {pair}{detail}")
    difference = finding.difference or f"got {_shortened(finding.got)}, expected {_shortened(finding.expected)}"
    return f"{before}{shown[-1]} gave a wrong answer, {difference}" if is_answer and shown else _after(shown, difference)


def _after(shown: list[str], found: str) -> str:
    return f"after {shown[-1]}: {found}" if shown else found


def _shortened(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 3] + "..."


def _before(shown: list[str]) -> str:
    """The calls that led to the last one."""
    if len(shown) < 2:
        return ""
    return "after " + " and ".join(shown[:-1]) + ", "


def _of_our_bug(trial: Trial) -> dict:
    """Where the check broke, for whoever mends it."""
    error = trial.error
    whose = "the reference raised" if isinstance(error, Remote) else "the check itself raised"
    message = f"{whose} {type(error).__name__}: {clean(str(error), 500)}"
    lines, trace = [], error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith("/checks.py"):
            lines.append(f"checks.py line {trace.tb_lineno}, in {trace.tb_frame.f_code.co_name}")
        trace = trace.tb_next
    return {"message": message, "call": "; ".join(_calls(trial)), "traceback": tuple(lines) + _lines(getattr(error, "lines", ()))}


def _missing(trial: Trial, exercise: Exercise) -> str:
    import difflib

    near = difflib.get_close_matches(trial.missing, list(trial.link.names), 1)
    kind = "class" if f"class {trial.missing}" in exercise.solution + exercise.starter else "function"
    return words.missing(kind, trial.missing, clean(near[0], 80) if near else "")


def _calls(trial: Trial) -> list[str]:
    try:
        return calls.last_calls(trial.link)
    except Exception:  # a record that cannot be read back is not worth a verdict
        return []


def _lines(lines) -> tuple[str, ...]:
    return tuple(clean(str(line), 300) for line in list(lines)[:12])
