"""checks.py as a list of checks."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

from practice.kernel import asserts, scenario
from practice.kernel.capture import Quiet
from practice.kernel.errors import BrokenExercise
from practice.kernel.exercise import Exercise

PARAMETERS = ("sub", "ref", "rng")


@dataclass(frozen=True)
class Check:
    """One question that the judge asks."""

    name: str
    """`check_partial_last_block`; one that starts with `check_example_` is shown to the learner."""
    title: str
    """The first line of its docstring."""
    parameters: tuple[str, ...]
    """Which of sub, ref and rng it takes."""
    function: Callable

    @property
    def shown(self) -> bool:
        return is_example(self.name)


def is_example(name: str) -> bool:
    return name.startswith("check_example_")


def check_names(exercise: Exercise) -> tuple[str, ...]:
    """The names of an exercise's checks in the order of judging; nothing is run.

    Raises BrokenExercise when checks.py is no Python.
    """
    return tuple(node.name for node in _functions(_parsed(exercise)) if node.name.startswith("check_"))


def load_checks(exercise: Exercise) -> tuple[Check, ...]:
    """The checks, ready to run; plain asserts in them are explained.

    Raises BrokenExercise when checks.py does not load, has no check, or a check takes an unknown parameter.
    """
    functions, code = _compiled(exercise)
    namespace = {"__name__": "checks", scenario.SOURCES: _scenario_sources(exercise.checks, functions), **asserts.names()}
    try:
        with Quiet():
            exec(code, namespace)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit(0), too: it would pass for an accepted answer
        raise BrokenExercise(f"{exercise.id}/checks.py does not load: {type(error).__name__}: {error}") from error
    names = [node.name for node in functions]
    twice = next((name for name in names if name.startswith("check_") and names.count(name) > 1), "")
    if twice:
        raise BrokenExercise(f"{exercise.id}/checks.py defines {twice} twice, and only the last would be run", "give each its own name")
    checks = tuple(_check(exercise, node, namespace[node.name]) for node in functions if node.name.startswith("check_"))
    if not checks:
        raise BrokenExercise(f"{exercise.id}/checks.py has no function `check_...`", "write `def check_example_small(sub):`")
    return checks


def _parsed(exercise: Exercise) -> ast.Module:
    try:
        return ast.parse(exercise.checks)
    except (SyntaxError, ValueError) as error:
        raise _does_not_compile(exercise, error) from None


def _compiled(exercise: Exercise) -> tuple[list, CodeType]:
    """The functions of checks.py and its code."""
    try:
        return _compiled_text(exercise.checks, f"{exercise.id}/checks.py")
    except (SyntaxError, ValueError) as error:
        raise _does_not_compile(exercise, error) from None


@lru_cache(maxsize=4)
def _compiled_text(text: str, file: str) -> tuple[list, CodeType]:
    """Kept, because an exercise is judged again and again: compiling costs more than two checks."""
    tree = ast.parse(text)
    return _functions(tree), compile(asserts.rewrite(tree), file, "exec", dont_inherit=True)


def _does_not_compile(exercise: Exercise, error: Exception) -> BrokenExercise:
    return BrokenExercise(f"{exercise.id}/checks.py does not compile: {error}")


def _functions(tree: ast.Module) -> list:
    return [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _scenario_sources(text: str, functions: list) -> dict[str, str]:
    lines = text.splitlines(keepends=True)
    marked = (node for node in functions if asserts.is_scenario(node))
    return {node.name: "".join(lines[node.lineno - 1 : node.end_lineno]) for node in marked}


def _check(exercise: Exercise, node, function: Callable) -> Check:
    if isinstance(node, ast.AsyncFunctionDef):
        raise BrokenExercise(f"{exercise.id}/checks.py: {node.name} is async; a check is a plain function")
    parameters = tuple(argument.arg for argument in node.args.args)
    unknown = [name for name in parameters if name not in PARAMETERS]
    if unknown or "sub" not in parameters:
        found = f"takes `{unknown[0]}`" if unknown else "does not take `sub`"
        raise BrokenExercise(f"{exercise.id}/checks.py: {node.name} {found}; a check takes sub, and may take ref and rng")
    title = (ast.get_docstring(node) or node.name.removeprefix("check_").replace("_", " ")).splitlines()[0]
    return Check(node.name, title, parameters, function)
