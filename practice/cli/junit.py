"""Verdicts as JUnit XML, which CI systems read."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from practice.kernel.verdict import CheckResult, Status, Verdict

SHORT = {
    Status.WRONG_ANSWER: "WA",
    Status.TIME_LIMIT: "TLE",
    Status.MEMORY_LIMIT: "MLE",
    Status.OUTPUT_LIMIT: "OLE",
    Status.RUNTIME_ERROR: "RTE",
    Status.COMPILE_ERROR: "CE",
    Status.JUDGE_ERROR: "JE",
}


def junit(verdicts: Sequence[Verdict]) -> str:
    """One `testsuite` for each verdict, one `testcase` for each check.

    A wrong answer is a `failure`; any other end of a check is an `error`; a check that was not run is `skipped`.
    """
    suites = [line for verdict in verdicts for line in _suite(verdict)]
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', "<testsuites>", *suites, "</testsuites>", ""])


def _suite(verdict: Verdict) -> list[str]:
    # A submission that does not load has no check that could carry the message.
    checks = verdict.checks or (CheckResult("load", verdict.status, "It loads", message=verdict.headline),)
    statuses = [check.status for check in checks]
    skipped = statuses.count(Status.NOT_RUN)
    failures = statuses.count(Status.WRONG_ANSWER)
    errors = len(statuses) - skipped - failures - statuses.count(Status.ACCEPTED)
    attributes = {
        "name": verdict.exercise,
        "tests": len(checks),
        "failures": failures,
        "errors": errors,
        "skipped": skipped,
        "time": f"{sum(check.seconds for check in checks):.6f}",
    }
    properties = {
        "verdict": verdict.status.value,
        "seed": verdict.seed,
        "limit_seconds": verdict.limit_seconds,
        "memory_bytes": verdict.memory,
        **{f"judged.{key}": value for key, value in verdict.judged.items()},
    }
    lines = [f"  <testsuite{_attributes(attributes)}>", "    <properties>"]
    lines += [f"      <property{_attributes({'name': key, 'value': value})}/>" for key, value in properties.items()]
    lines.append("    </properties>")
    for check in checks:
        lines += _case(verdict, check)
    if verdict.output:
        lines.append(f"    <system-out>{escape(printable(verdict.output))}</system-out>")
    return [*lines, "  </testsuite>"]


def _case(verdict: Verdict, check: CheckResult) -> list[str]:
    head = f"    <testcase{_attributes({'classname': verdict.exercise, 'name': check.name, 'time': f'{check.seconds:.6f}'})}"
    if check.status is Status.ACCEPTED:
        return [head + "/>"]
    if check.status is Status.NOT_RUN:
        return [head + ">", "      <skipped/>", "    </testcase>"]
    tag = "failure" if check.status is Status.WRONG_ANSWER else "error"
    text = "\n".join([check.message, *check.traceback])
    attributes = _attributes({"type": SHORT[check.status], "message": check.title or check.status.value})
    return [head + ">", f"      <{tag}{attributes}>{escape(printable(text))}</{tag}>", "    </testcase>"]


def _attributes(values: dict[str, object]) -> str:
    return "".join(f" {key}={quoteattr(printable(str(value)))}" for key, value in values.items())


def printable(text: str) -> str:
    """The text with every character that XML 1.0 forbids written out, as `#x1B`."""
    return "".join(char if _is_xml(ord(char)) else f"#x{ord(char):02X}" for char in text)


def _is_xml(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code
