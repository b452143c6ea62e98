"""What a check compared, when that is a part of the last answer or worked out of it: `plan(20, 2000)["instances"]`.

A learner who reads "`plan(20, 2000)` gave 40" looks for a call that gives 40. So once a finding is made, the expression
in checks.py is read, the answer in it replaced by its call, and the whole worked out again: only what gives the same
value again is told. Nothing here runs while checks pass.
"""

import ast
import builtins
import re
from types import FrameType, ModuleType, TracebackType

from practice.kernel.handle import Handle
from practice.kernel.remote import Link
from practice.kernel.text import show

_ANSWER = "answer_of_the_last_call"
_PURE = {"abs", "bool", "dict", "float", "int", "len", "list", "max", "min", "round", "set", "sorted", "str", "sum", "tuple"}
_MODULES = {"math", "numpy"}
_METHODS = {"items", "keys", "sum", "tolist", "values"}
_ALLOWED = (
    ast.Attribute, ast.BinOp, ast.Call, ast.Constant, ast.keyword, ast.List, ast.Name, ast.Slice, ast.Subscript, ast.Tuple, ast.UnaryOp,
    ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
_CALL = re.compile(r"[\w.]+(\(.*\))?", re.DOTALL)
"""A call or attribute as text to which more can be put; no assignment and no operator."""
_PLAIN = (str, int, float, bool, type(None))
_LONGEST = 60
"""Characters of a key or an argument of the check's own."""


def expression(error: BaseException, checks: str, link: Link, call: str) -> str:
    """The compared expression with `call` in place of its answer; "" where that cannot be told, or is the answer itself.

    error: a Finding with its traceback. checks: the text of checks.py. call: the last call as text.
    """
    if isinstance(link.last_value, Handle) or not _CALL.fullmatch(call):
        return ""
    frame, place = _place(error.__traceback__)
    if frame is None:
        return ""
    for candidate in _candidates(ast.parse(checks), place):
        text = _told(candidate, frame, link.last_value, error.got)
        if text:
            return text.replace(_ANSWER, call)
    return ""


def _place(trace: TracebackType | None) -> tuple[FrameType | None, tuple]:
    """The innermost frame in checks.py, and the lines and columns of the expectation it was at."""
    found: tuple[FrameType | None, tuple] = (None, ())
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith("/checks.py"):
            positions = list(trace.tb_frame.f_code.co_positions())
            line, end_line, column, end_column = positions[trace.tb_lasti // 2]
            found = trace.tb_frame, (line, column, end_line, end_column)
        trace = trace.tb_next
    return found


def _candidates(tree: ast.Module, place: tuple) -> list[ast.expr]:
    """What the expectation at this place may have called its answer: the first argument, or a side of the assert."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Call, ast.Assert)) or (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) != place:
            continue
        if isinstance(node, ast.Call):
            return node.args[:1]
        return [node.test.left, *node.test.comparators] if isinstance(node.test, ast.Compare) else []
    return []


def _told(node: ast.expr, frame: FrameType, answer, got: str) -> str:
    """The expression as text around _ANSWER, if it has the answer in it once and gives what was got."""
    reader = _Reader(frame, answer)
    try:
        read = ast.fix_missing_locations(reader.visit(node))
        if reader.answers != 1 or isinstance(read, ast.Name):
            return ""
        value = eval(compile(ast.Expression(read), "<compared>", "eval"), {**reader.names, _ANSWER: answer})  # noqa: S307  of our own check
    except Exception:  # an expression of another kind, or one that does not work out again: the call alone is told
        return ""
    return ast.unparse(read) if show(value, 1000) == got else ""


class _Reader(ast.NodeTransformer):
    """Puts _ANSWER where the answer stands and values in place of the check's own names. Raises ValueError for other nodes."""

    def __init__(self, frame: FrameType, answer) -> None:
        self._known = {**vars(builtins), **frame.f_globals, **frame.f_locals}
        self._answer = answer
        self.names: dict[str, object] = {}
        """Functions, types and modules that the expression uses."""
        self.answers = 0

    def visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, _ALLOWED):
            raise ValueError(f"{type(node).__name__} is not read")
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._known[node.id]
        if value is self._answer and not isinstance(value, _PLAIN):
            return self._the_answer()
        if isinstance(value, (ModuleType, type)) or (node.id in _PURE and value is getattr(builtins, node.id)):
            self.names[node.id] = value
            return node
        if not isinstance(value, _PLAIN) or len(repr(value)) > _LONGEST:
            raise ValueError(f"{node.id} is no plain value")
        return ast.Constant(value)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self.generic_visit(node) if self._is_pure(node.func) else self._the_answer()

    def _is_pure(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            return function.id in _PURE
        if not isinstance(function, ast.Attribute):
            return False
        of = self._known.get(function.value.id) if isinstance(function.value, ast.Name) else None
        if isinstance(of, ModuleType):
            return of.__name__ in _MODULES
        return function.attr in _METHODS and not isinstance(of, Handle)

    def _the_answer(self) -> ast.Name:
        self.answers += 1
        return ast.Name(_ANSWER, ast.Load())

