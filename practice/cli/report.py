"""A verdict in words for a terminal: what a learner reads. A failed run fits 25 lines."""

import shlex
from dataclasses import dataclass

from practice.cli.style import Style, commands, plain
from practice.cli.text import count, duration, figures, labelled, mib, wrap
from practice.kernel.exercise import Exercise
from practice.kernel.verdict import CheckResult, Status, Verdict
from practice.progress.standing import Standing

LINES = 25
"""A failed run is never longer, at 80 columns."""
_LEAST_OWN = 5
"""Lines kept for what the learner wrote or printed: a blank one, a label, and three."""
HINT_AFTER = 2
"""Failed attempts in a row after which a hint is offered."""


@dataclass(frozen=True)
class Around:
    """What a report says beside the verdict."""

    command: str
    """How a command is typed: `python judge.py`."""
    file: str = ""
    """The file that was named on the command line, or ""."""
    standing: Standing | None = None
    """Where the learner stands with this attempt counted, or None when nothing is kept."""
    follows: tuple[int, str] | None = None
    """Number and title of the exercise to try next."""
    partial: bool = False
    """True when only some of the checks were asked for."""


def report(verdict: Verdict, exercise: Exercise, style: Style, around: Around) -> list[str]:
    """The lines to print for one verdict."""
    if verdict.status is Status.ACCEPTED:
        return _passed(verdict, exercise, style, around)
    return _failed(verdict, exercise, style, around)


def _title(verdict: Verdict, exercise: Exercise, style: Style) -> str:
    colour = {Status.ACCEPTED: style.green, Status.JUDGE_ERROR: style.yellow}.get(verdict.status, style.red)
    return f"{style.bold(f'{exercise.number}  {exercise.title}')}: {colour(verdict.status.value)}"


def _passed(verdict: Verdict, exercise: Exercise, style: Style, around: Around) -> list[str]:
    checks = count(len(verdict.checks), "check")
    scope = f"{checks} of those asked for passed" if around.partial else f"all {checks} passed"
    lines = [_title(verdict, exercise, style), "", f"  {scope}", f"  the slowest took {_use(verdict, exercise)}"]
    number, rows = exercise.number, []
    if around.partial:
        rows.append((f"{around.command} {number}", "judges it with every check"))
    else:
        lines += _effort(around.standing)
        if exercise.after.strip():
            rows.append((f"{around.command} after {number}", "what an interviewer asks next"))
        if around.follows:
            rows.append((f"{around.command} {around.follows[0]}", f"the next exercise: {around.follows[1]}"))
    return [*lines, *_isolation(verdict, style), "", *commands(rows, style)]


def _use(verdict: Verdict, exercise: Exercise) -> str:
    text = f"{figures(verdict.seconds)} of {figures(verdict.limit_seconds or exercise.limits.seconds)}"
    return text + (f", memory {mib(verdict.memory)} of {mib(exercise.limits.memory)}" if verdict.memory else "")


def _effort(standing: Standing | None) -> list[str]:
    if standing is None or standing.solved_at is None or standing.solved_at < standing.last_at:
        return []
    hints = f" and {count(standing.hints, 'hint')}" if standing.hints else ""
    return [f"  solved with {count(standing.attempts, 'attempt')}{hints}, in {duration(standing.seconds)}"]


def _failed(verdict: Verdict, exercise: Exercise, style: Style, around: Around) -> list[str]:
    check = verdict.first_failure
    head = [_title(verdict, exercise, style), "", *(f"  {line}" for line in wrap(_summary(verdict), style.width - 2, 3))]
    foot = [*_isolation(verdict, style), *_replay(verdict, exercise, style, around), *_offer(verdict, exercise, style, around)]
    room = LINES - len(head) - len(foot)
    own = _LEAST_OWN * bool(verdict.output.strip() or (check and check.traceback))
    body = _finding(check, exercise, style, room - own) if check and verdict.status is not Status.COMPILE_ERROR else []
    room -= len(body)
    lines = _block("your lines", "\n".join(check.traceback[-4:]) if check else "", style, min(room, 6))
    room -= len(lines)
    lines += _block("you printed", verdict.output, style, min(room, 7))
    return [*head, *body, *lines, *foot]


def _summary(verdict: Verdict) -> str:
    check = verdict.first_failure
    if check is None or verdict.status in (Status.COMPILE_ERROR, Status.JUDGE_ERROR):
        return plain(verdict.headline)
    return f"{verdict.passed} of {count(len(verdict.checks), 'check')} passed; the first that did not:"


def _finding(check: CheckResult, exercise: Exercise, style: Style, room: int) -> list[str]:
    told = bool(check.got or check.expected or check.difference)
    # A message ends in the ideas, which have lines of their own here.
    message = "" if told else check.message.split(f": {check.idea}")[0] if check.idea else check.message
    likely = next((known.idea for known in exercise.wrong if known.name == check.known_wrong and known.idea != check.idea), "")
    rows = [
        ("call", plain(check.call) if told or check.call not in message else "", 2),
        ("got", plain(check.got), 2),
        ("expected", plain(check.expected), 2),
        ("differs", plain(check.difference), 2),
        ("found", plain(message), 3),
        ("idea", plain(check.idea), 2),
        ("perhaps", plain(likely), 2),
    ]
    title = _cut(plain(check.title or check.name), style.width - 2)
    name = f"  {check.name}" if check.title and len(title) + len(check.name) + 4 <= style.width else ""
    lines = ["", "  " + style.bold(title) + style.dim(name)]
    tints = {"got": style.red, "found": style.red, "expected": style.green, "idea": style.cyan, "perhaps": style.cyan}
    tint = str
    for label, text in labelled(_with_more_lines(rows, style.width, room - len(lines)), style.width, indent=4):
        tint = tints.get(label.strip(), str if label.strip() else tint)
        lines.append((style.dim(label) + tint(text)).rstrip() if text else label.rstrip())
    return lines


def _with_more_lines(rows: list[tuple[str, str, int]], width: int, room: int) -> list[tuple[str, str, int]]:
    """The rows with what is left of the room given to those that it cuts, the ideas first."""
    needed = {label: len(labelled([(label, text, 1000)], width, indent=4)) for label, text, _ in rows}
    given = {label: min(needed[label], most) for label, _, most in rows}
    for label in ("idea", "call", "perhaps", "found", "differs", "got", "expected"):
        more = min(needed[label] - given[label], max(room - sum(given.values()), 0))
        given[label] += more
    return [(label, text, given[label]) for label, text, _ in rows]


def _block(label: str, text: str, style: Style, room: int) -> list[str]:
    """A labelled block of the learner's own text in at most `room` lines, its blank line and label counted."""
    shown = plain(text.strip("\n")).split("\n")
    if not text.strip() or room < 3:
        return []
    if len(shown) > room - 2:
        more = len(shown) - (room - 3)
        shown = [*shown[: room - 3], f"... {count(more, 'more line')}"]
    return ["", "  " + style.dim(label), *(f"    {_cut(line, style.width - 4)}" for line in shown)]


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 4] + " ..."


def _isolation(verdict: Verdict, style: Style) -> list[str]:
    """One line where a layer is missing that this kind of machine usually has; the browser's own worker is level 0."""
    isolation = verdict.judged.get("isolation") or {}
    if verdict.judged.get("backend") != "pipe" or isolation.get("level", 3) >= 3:
        return []
    missing = ", ".join(map(str, isolation.get("missing", ()))) or "kernel isolation"
    return ["", *(style.dim("  " + line) for line in wrap(f"judged without {missing}; `doctor` tells more", style.width - 2, 2))]


def _replay(verdict: Verdict, exercise: Exercise, style: Style, around: Around) -> list[str]:
    if verdict.status is Status.COMPILE_ERROR:
        return []
    words = " ".join(filter(None, (around.command, str(exercise.number), around.file and shlex.quote(around.file))))
    return ["", style.dim(f"  same inputs again: {words} --seed {verdict.seed}")]


def _offer(verdict: Verdict, exercise: Exercise, style: Style, around: Around) -> list[str]:
    if verdict.status is Status.JUDGE_ERROR:
        return ["", "hint: this is a fault of the judge, not of your work; please report the lines above"]
    standing = around.standing
    if standing is None or standing.failures < HINT_AFTER or not exercise.hints:
        return []
    if standing.hints < len(exercise.hints):
        nth = ("a nudge", "the next hint", "the last hint")[min(standing.hints, 2)]
        return ["", f"hint: `{around.command} hint {exercise.number}` gives {nth}"]
    return ["", f"hint: `{around.command} solution {exercise.number}` shows a worked answer when you have had enough"]
