"""Small mistakes made in the solution on purpose. One that no check notices may be a check that is missing."""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MOST = 60
"""Mutants of one solution; a longer solution gets an even choice of them."""

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.FloorDiv}
WORDS = {
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Div: "/", ast.Mod: "%"},
}
DROPPED = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Raise, ast.Continue, ast.Break)
"""Statements that are left out, one at a time."""

Change = tuple[str, Callable[[ast.AST], None], int]
"""What it is, in words; the function that makes it in a copy of the node; its line, or 0 for the node's own."""


@dataclass(frozen=True)
class Mutant:
    """A solution with one small mistake."""

    line: int
    what: str
    """`<` became `<=`."""
    source: str


def mutants(source: str, most: int = MOST) -> list[Mutant]:
    """Solutions with one small mistake each, in the order of their lines, at most `most` of them."""
    tree = ast.parse(source)
    quiet = _quiet(tree)
    places = [
        (index, node, change)
        for index, node in enumerate(ast.walk(tree))
        if node not in quiet
        for change in _changes(node)
    ]
    places.sort(key=lambda place: place[2][2] or getattr(place[1], "lineno", 0))
    step = max(1.0, len(places) / most)
    chosen = [places[int(k * step)] for k in range(min(most, len(places)))]
    return [_made(tree, index, node, change) for index, node, change in chosen]


def _made(tree: ast.Module, index: int, node: ast.AST, change: Change) -> Mutant:
    twin = copy.deepcopy(tree)
    # A copy is walked in the same order, so the place is found by its position.
    change[1](list(ast.walk(twin))[index])
    return Mutant(change[2] or getattr(node, "lineno", 0), change[0], ast.unparse(ast.fix_missing_locations(twin)) + "\n")


def _quiet(tree: ast.Module) -> set[ast.AST]:
    """Nodes whose change nobody could see: docstrings, annotations, the words of an error."""
    quiet: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.Raise):
            parts += [node.exc, node.cause]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts += [node.returns, *node.decorator_list]
        if isinstance(node, ast.arg):
            parts.append(node.annotation)
        if isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        for part in parts:
            if part is not None:
                quiet.update(ast.walk(part))
    return quiet


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield _swap(node.ops[0], COMPARISONS, lambda copy, new: copy.ops.__setitem__(0, new))
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATORS and not _is_text(node):
        yield _swap(node.op, OPERATORS, lambda copy, new: setattr(copy, "op", new))
    if isinstance(node, ast.BoolOp):
        old, new = ("and", ast.Or) if isinstance(node.op, ast.And) else ("or", ast.And)
        yield f"`{old}` became `{'or' if old == 'and' else 'and'}`", lambda copy: setattr(copy, "op", new()), 0
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value = node.value
        yield f"{value} became {value + 1}", lambda copy: setattr(copy, "value", value + 1), 0
        if isinstance(value, int) and value > 1:
            yield f"{value} became {value - 1}", lambda copy: setattr(copy, "value", value - 1), 0
    if isinstance(node, ast.Name) and node.id in ("min", "max"):
        other = "max" if node.id == "min" else "min"
        yield f"`{node.id}` became `{other}`", lambda copy: setattr(copy, "id", other), 0
    for field in ("body", "orelse"):
        for index, statement in enumerate(getattr(node, field, None) or () if not isinstance(node, (ast.Lambda, ast.IfExp)) else ()):
            if isinstance(statement, DROPPED) and not _is_docstring(statement):
                yield _drop(statement, field, index)


def _swap(old: ast.AST, table: dict[type, type], put: Callable[[ast.AST, ast.AST], None]) -> Change:
    new = table[type(old)]
    return f"`{WORDS[type(old)]}` became `{WORDS[new]}`", lambda copy: put(copy, new()), 0


def _drop(statement: ast.stmt, field: str, index: int) -> Change:
    text = ast.unparse(statement).split("\n")[0]
    shown = text if len(text) <= 50 else text[:46] + " ..."
    return f"left out: {shown}", lambda copy: getattr(copy, field).__setitem__(index, ast.Pass()), statement.lineno


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    """% and + on a text are formatting, whose change is nobody's mistake."""
    left = node.left if isinstance(node, ast.BinOp) else node.value
    return isinstance(left, ast.JoinedStr) or (isinstance(left, ast.Constant) and isinstance(left.value, str))
