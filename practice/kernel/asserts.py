"""Plain asserts of checks.py, rewritten so that a failing one tells both sides and their difference.

    assert sub.blocks_needed(33, 16) == 3, "the last, partly filled block counts too"

becomes

    @left, @right = sub.blocks_needed(33, 16), 3
    if not @left == @right: @explain("==", @left, @right, "the last, partly filled block counts too")

Each side is evaluated once, and what passes or fails stays exactly what Python says.
"""

import ast

from practice.kernel import compare
from practice.kernel.expect import Finding
from practice.kernel.text import show

_SHOWN = 1000
_SYMBOLS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_EXPECTED = {
    "==": "", "is": "", "!=": "anything but ", "is not": "anything but ", "<": "less than ", "<=": "at most ",
    ">": "more than ", ">=": "at least ", "in": "one of ", "not in": "none of ",
}  # fmt: skip
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def rewrite(tree: ast.Module) -> ast.Module:
    """The tree with every assert outside scenarios explained; `names()` must be in its globals."""
    return _Rewriter().visit(tree)


def names() -> dict:
    """What rewritten code calls. No Python source can write these names."""
    return {"@explain": _explain, "@explain_truth": _explain_truth, "@note": _note}


def is_scenario(node: ast.AST) -> bool:
    """True for a function under the decorator `scenario`, however it was imported."""
    marks = getattr(node, "decorator_list", [])
    return any(getattr(mark, "id", getattr(mark, "attr", "")) == "scenario" for mark in marks)


class _Rewriter(ast.NodeTransformer):
    def visit(self, node: ast.AST):
        # No assert stands inside an expression, and most of a tree is expressions.
        return node if isinstance(node, ast.expr) else super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef):
        return node if is_scenario(node) else self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        return [ast.fix_missing_locations(ast.copy_location(statement, node)) for statement in _statements(node.test, node.msg)]


def _statements(test: ast.expr, idea: ast.expr | None) -> list[ast.stmt]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [statement for part in test.values for statement in _statements(part, idea)]
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(test, idea)
    return _truth(test, idea)


def _comparison(test: ast.Compare, idea: ast.expr | None) -> list[ast.stmt]:
    symbol = _SYMBOLS[type(test.ops[0])]
    left, right = ast.Name("@left", ast.Load()), ast.Name("@right", ast.Load())
    turned = symbol in _TURNED and _is_expectation(test.left) and not _is_expectation(test.comparators[0])
    given = [ast.Constant(_TURNED[symbol]), right, left] if turned else [ast.Constant(symbol), left, right]
    return [
        ast.Assign([ast.Name("@left", ast.Store())], test.left),
        ast.Assign([ast.Name("@right", ast.Store())], test.comparators[0]),
        _unless(ast.Compare(left, test.ops, [right]), "@explain", given, idea),
    ]


def _truth(test: ast.expr, idea: ast.expr | None) -> list[ast.stmt]:
    source = ast.unparse(test)
    return [
        ast.Assign([ast.Name("@notes", ast.Store())], ast.List([], ast.Load())),
        _unless(_noted(test), "@explain_truth", [ast.Constant(source), ast.Name("@notes", ast.Load())], idea),
    ]


def _unless(test: ast.expr, explain: str, given: list[ast.expr], idea: ast.expr | None) -> ast.If:
    call = ast.Call(ast.Name(explain, ast.Load()), [*given, idea or ast.Constant("")], [])
    return ast.If(ast.UnaryOp(ast.Not(), test), [ast.Expr(call)], [])


def _noted(node: ast.expr) -> ast.expr:
    """The expression with its telling parts noted down as they are evaluated, in order and once."""
    if isinstance(node, (ast.Constant, ast.Lambda, ast.GeneratorExp, ast.Starred)):
        return node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ast.UnaryOp(node.op, _noted(node.operand))
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(node.op, [_noted(part) for part in node.values])
    if isinstance(node, ast.Compare):
        return ast.Compare(_noted(node.left), node.ops, [_noted(part) for part in node.comparators])
    if isinstance(node, ast.Call) and not _names(node) & {"sub", "ref"}:
        return ast.Call(node.func, [_noted(part) for part in node.args], node.keywords)
    return ast.Call(ast.Name("@note", ast.Load()), [ast.Name("@notes", ast.Load()), ast.Constant(ast.unparse(node)), node], [])


def _is_expectation(node: ast.expr) -> bool:
    """True for what a check knows without asking the submission: constants, and what the reference says."""
    return isinstance(node, ast.Constant) or ("ref" in _names(node) and "sub" not in _names(node))


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _note(notes: list, source: str, value):
    notes.append((source, value))
    return value


def _explain(symbol: str, left, right, idea) -> None:
    difference = compare.equal(left, right) if symbol in ("==", "is") else ""
    expected = _EXPECTED[symbol] + show(right, _SHOWN)
    raise Finding(value=left, got=show(left, _SHOWN), expected=expected, difference=difference or "", idea=str(idea))


def _explain_truth(source: str, notes: list, idea) -> None:
    where = ", ".join(f"{name} is {show(value, 80)}" for name, value in notes[:4] if not isinstance(value, type))
    raise Finding(reason=f"`{source}` does not hold" + (f": {where}" if where else ""), idea=str(idea))
