"""Rules that are read off one folder's text; nothing is run."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from practice.audit.finding import Finding
from practice.catalog.read import read_sources
from practice.catalog.topic import TOPICS
from practice.kernel.exercise import Exercise

HINTS = 3
KNOWN_WRONG = 3
"""At least this many known-wrong submissions."""
COLUMNS = 80
"""Of a terminal at its smallest; code lines are not wrapped."""
TODO = re.compile(r"\bTODO\b")
"""What `judge.py new` leaves where the author's own words belong."""


def form_findings(folder: Path, exercise: Exercise) -> Iterator[Finding]:
    """Everything wrong with an exercise that can be read, as far as its text shows."""
    rules = (_names, _prompt, _hints, _after, _starter, _known_wrong, _checks)
    for rule in rules:
        for file, message, hint, key in rule(folder, exercise):
            yield Finding(folder.name, file, message, hint, key)
    yield from todo_findings(folder)
    longest = max((len(line) for line in _code_lines(exercise.prompt)), default=0)
    if longest > COLUMNS:
        text = f"has a code line of {longest} characters, which a terminal of 80 columns breaks"
        yield Finding(folder.name, "prompt.md", text, f"keep code lines within {COLUMNS}", suggestion=True)


def _code_lines(text: str) -> Iterator[str]:
    """The lines of indented code blocks, without the indent, and of fenced ones."""
    fenced = False
    for line in text.split("\n"):
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        elif fenced:
            yield line
        elif line.startswith("    "):
            yield line[4:]


def todo_findings(folder: Path) -> Iterator[Finding]:
    """What `judge.py new` left to be written."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".toml", ".md", ".py"):
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                if TODO.search(line):
                    name = path.relative_to(folder).as_posix()
                    words = line.strip() if len(line.strip()) <= 70 else line.strip()[:66] + " ..."
                    yield Finding(folder.name, name, f"line {number} is still to be written: {words}")


Found = Iterator[tuple[str, str, str, str]]
"""(file, message, hint, key)."""


def _names(folder: Path, exercise: Exercise) -> Found:
    if folder.name != exercise.id:
        yield "exercise.toml", f'the folder is "{folder.name}", but number and slug make "{exercise.id}"', "rename one of them", "slug"
    numbers = TOPICS[exercise.topic]
    if exercise.number not in numbers:
        text = f"`number` is {exercise.number}, but {exercise.topic} has {numbers.start} to {numbers.stop - 1}"
        yield "exercise.toml", text, "take a number of the topic, or the topic of the number", "number"
    if not exercise.sources:
        yield "exercise.toml", "`sources` is empty", "name where the formula or the idea comes from", "sources"


def _prompt(_: Path, exercise: Exercise) -> Found:
    for name in exercise.entry:
        if not re.search(rf"`[^`]*\b{re.escape(name)}\b[^`]*`", exercise.prompt):
            yield "prompt.md", f"does not name `{name}`, which a submission must define", "show its signature in backquotes", "entry"
    if exercise.prompt.lstrip().startswith("# "):
        yield "prompt.md", "begins with a title line, but the title is in exercise.toml", "remove the line", ""


def _hints(_: Path, exercise: Exercise) -> Found:
    if len(exercise.hints) != HINTS:
        yield "hints.md", f"has {len(exercise.hints)} hints, but it must be {HINTS}", "write each under a `## ` heading", ""
    for index, hint in enumerate(exercise.hints, 1):
        if not hint:
            yield "hints.md", f"hint {index} is empty", "write it under its heading", ""


def _after(_: Path, exercise: Exercise) -> Found:
    if not exercise.after.strip():
        yield "after.md", "is empty", "write what an interviewer asks next, with answers", ""


def _starter(_: Path, exercise: Exercise) -> Found:
    for file, text in (("starter.py", exercise.starter), ("solution.py", exercise.solution)):
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            yield file, f"does not load: {error.msg} (line {error.lineno})", "", ""
            continue
        defined = {name for node in tree.body for name in _defined(node)}
        for name in exercise.entry:
            if name not in defined:
                yield file, f"does not define `{name}` at its top level", "define it, or mend `entry`", "entry"


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, (ast.ImportFrom, ast.Import)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _known_wrong(folder: Path, exercise: Exercise) -> Found:
    if len(exercise.wrong) < KNOWN_WRONG:
        text = f"has {len(exercise.wrong)} known-wrong submissions, but at least {KNOWN_WRONG} are wanted"
        yield "wrong", text, "write the mistakes real people make, one file for each idea", ""
    checks = _check_names(exercise)
    for known in exercise.wrong:
        if checks and known.fails not in checks:
            text = f"`wrong.{known.name}.fails` is \"{known.fails}\", but checks.py has no such check; it has {', '.join(checks)}"
            yield "exercise.toml", text, "name the first check that must fail", f"wrong.{known.name}.fails"
        if not known.idea:
            yield "exercise.toml", f"`wrong.{known.name}.idea` is missing", "tell the mistake in one sentence", f"wrong.{known.name}.idea"
    seen = {"solution.py": exercise.solution, **{f"accepted/{n}.py": t for n, t in read_sources(folder, "accepted").items()}}
    for known in exercise.wrong:
        twin = next((name for name, text in seen.items() if text.strip() == known.source.strip()), "")
        if twin:
            yield f"wrong/{known.name}.py", f"is the same text as {twin}", "remove one of them", ""
        seen[f"wrong/{known.name}.py"] = known.source


def _check_names(exercise: Exercise) -> list[str]:
    return [node.name for node in _check_nodes(exercise)]


def _check_nodes(exercise: Exercise) -> list[ast.FunctionDef]:
    try:
        tree = ast.parse(exercise.checks)
    except SyntaxError:
        return []
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")]


def randomised_checks(exercise: Exercise) -> tuple[str, ...]:
    """The checks that draw something: those that take `rng`."""
    return tuple(node.name for node in _check_nodes(exercise) if "rng" in {argument.arg for argument in node.args.args})


def _checks(_: Path, exercise: Exercise) -> Found:
    try:
        ast.parse(exercise.checks)
    except SyntaxError as error:
        yield "checks.py", f"does not load: {error.msg} (line {error.lineno})", "", ""
        return
    nodes = _check_nodes(exercise)
    names = [node.name for node in nodes]
    if not nodes:
        yield "checks.py", "has no check", "write functions named check_*", ""
    elif not any(name.startswith("check_example") for name in names):
        yield "checks.py", "has no example that is shown to the learner", "name the worked example's check check_example_*", ""
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield "checks.py", f"defines {name} twice, so only the last one is judged", "rename one of them", name
    for node in nodes:
        title = (ast.get_docstring(node) or "").strip().split("\n")[0]
        if not title:
            yield "checks.py", f"{node.name} has no title", "begin it with a docstring that says what it is about", node.name
        elif title.endswith(".") and not title.endswith("..."):
            yield "checks.py", f'the title of {node.name} ends in a full stop: "{title}"', "remove the full stop", node.name
        unknown = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs) if a.arg not in ("sub", "ref", "rng")]
        if unknown:
            yield "checks.py", f"{node.name} asks for {', '.join(unknown)}, but a check gets sub, ref and rng", "rename it", node.name
