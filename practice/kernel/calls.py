"""What a check did last, written as the learner would type it, read back from the frames that were sent.

The frames are a snapshot of the arguments as they were: a call that changes its arguments is shown as it was made.
"""

import ast
import re

from practice.kernel import wire
from practice.kernel.remote import Link
from practice.kernel.text import Name, clean, show

UNANSWERED = "  # did not return"
"""After the call during which the session ended."""
_SCRIPT = "  # a script of the judge's: "
"""After a scenario, which no learner can call; then what it does."""
_OPERATORS = {
    "__len__": "len({0})", "__bool__": "bool({0})", "__iter__": "iter({0})", "__aiter__": "aiter({0})", "__next__": "next({0})",
    "__anext__": "await anext({0})", "__getitem__": "{0}[{1}]", "__setitem__": "{0}[{1}] = {2}", "__delitem__": "del {0}[{1}]",
    "__contains__": "{1} in {0}", "__eq__": "{0} == {1}", "__lt__": "{0} < {1}", "__le__": "{0} <= {1}", "__gt__": "{0} > {1}",
    "__ge__": "{0} >= {1}", "__add__": "{0} + {1}", "__sub__": "{0} - {1}", "__mul__": "{0} * {1}", "__truediv__": "{0} / {1}",
    "__enter__": "with {0}", "__exit__": "leaving with {0}",
}  # fmt: skip


def last_calls(link: Link, limit: int = 160) -> list[str]:
    """The last call; for an object's method, with up to two calls before it that led there. [] before the first call.

    Of a session that ended, the last one is the call that was never answered, and says so.
    """
    labels = _labels(link.classes)
    codec = _reader(labels)
    shown = [(codec.decode(request), codec.decode(answer)) for request, answer in link.last]
    if link.asked is not None:
        shown = [*shown[-2:], (codec.decode(link.asked), None)]
    shown = [pair for pair in shown if pair[0][0] != "fields"]
    if not shown:
        return []
    if not _is_about_object(shown[-1][0]):
        shown = shown[-1:]
    return [clean(_written(request, answer, labels, limit), 4 * limit) + ("" if answer else UNANSWERED) for request, answer in shown]


def answer_at(link: Link, position: int, request: bytes) -> str | None:
    """The value that answered this request at this place of another session's record, as text; None if there is none."""
    if position >= len(link.record) or type(link.record[position]) is int or link.record[position][0] != request:
        return None
    answer = _reader(_labels(link.classes)).decode(link.record[position][1])
    return show(answer[1]) if answer[0] in ("v", "r") else None


def alike(one: Link, other: Link) -> bool:
    """True when two submissions were asked the same and answered alike, numbers within 1e-9."""
    if len(one.record) != len(other.record):
        return False
    codec = wire.Codec(None, {tag: lambda payload, tag=tag: (tag, repr(payload)) for tag in ("h", "o", "k", "g")})
    try:
        return all(_alike(codec, mine, theirs) for mine, theirs in zip(one.record, other.record, strict=True))
    except (wire.WireError, TypeError, LookupError):  # an answer that is none, which the check let pass
        return False


def _alike(codec: wire.Codec, mine, theirs) -> bool:
    from practice.kernel.compare import close

    if mine == theirs:
        return True
    if type(mine) is int or type(theirs) is int or mine[0] != theirs[0]:
        return False
    answers = [codec.decode(frame) for frame in (mine[1], theirs[1])]
    if answers[0][0] == answers[1][0] == "e":
        answers = [_builtin_of(answer[1]) for answer in answers]
    return close(answers[0], answers[1], nan_equal=True) is None


def _builtin_of(described):
    while type(described) is list:
        described = described[2][0]
    return described


def _labels(classes: dict[int, str]) -> dict[int, str]:
    """A variable's name for each object: pool, pool2, request."""
    labels: dict[int, str] = {}
    seen: dict[str, int] = {}
    for number, name in classes.items():
        label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_") or "it"
        seen[label] = seen.get(label, 0) + 1
        labels[number] = label if seen[label] == 1 else f"{label}{seen[label]}"
    return labels


def _reader(labels: dict[int, str]) -> wire.Codec:
    return wire.Codec(None, {
        "h": lambda payload: Name(_handle_text(payload, labels)),
        "o": lambda target: Name(_label(target, labels)),
        "k": lambda _number: Name("<function>"),
        "g": lambda _number: Name("<iterator>"),
    })  # fmt: skip


def _handle_text(payload: list, labels: dict[int, str]) -> str:
    number, _, name, shape = payload
    return f"<{shape} {name}>" if shape in ("class", "function") else labels.get(number, f"<{name} object>")


def _label(target, labels: dict[int, str]) -> str:
    return target if type(target) is str else labels.get(target, "it")


def told(call: str) -> str:
    """A call of `last_calls` within a sentence."""
    return f"`{call}`" if call == bare(call) else f"the judge's script `{bare(call)}`"


def bare(call: str) -> str:
    """A call of `last_calls` without what is said about a scenario."""
    return call.partition(_SCRIPT)[0]


def _about_scenario(source: str) -> str:
    """What a scenario says of itself in its first line."""
    said = (ast.get_docstring(ast.parse(source).body[0]) or "").partition("\n")[0].rstrip(".")
    return f"{_SCRIPT}{said}" if said else f"{_SCRIPT}it uses your program as the question says"


def _is_about_object(request: list) -> bool:
    return request[0] in ("call", "get", "set") and type(request[1]) is int


def _written(request: list, answer: list | None, labels: dict[int, str], limit: int) -> str:
    operation = request[0]
    if operation == "run":
        return f"{request[2]}({_arguments(request[3], None, limit)}){_about_scenario(request[1])}"
    if operation == "get":
        return request[2] if request[1] is None else f"{_label(request[1], labels)}.{request[2]}"
    subject = _label(request[1], labels)
    if operation == "set":
        return f"{subject}.{request[2]} = {show(request[3], limit)}"
    _, _, method, args, kwargs = request
    if method in _OPERATORS:
        return _OPERATORS[method].format(subject, *[show(arg, limit) for arg in args])
    text = f"{subject}{f'.{method}' if method else ''}({_arguments(args, kwargs, limit)})"
    made = answer[1] if answer and answer[0] in ("v", "r") and type(answer[1]) is Name else None
    return f"{made.text} = {text}" if made and method is None and made.text.isidentifier() else text


def _arguments(args: list, kwargs: dict | None, limit: int) -> str:
    """Arguments, each with its share of the room; long ones are cut."""
    pairs = [("", arg) for arg in args] + [(f"{name}=", value) for name, value in (kwargs or {}).items()]
    texts = [show(value, limit) for _, value in pairs]
    room, waiting = limit, len(pairs)
    for at in sorted(range(len(pairs)), key=lambda at: len(texts[at])):  # what the short ones leave is the long ones'
        share = max(room // waiting, 30)
        if len(texts[at]) > share:
            texts[at] = show(pairs[at][1], share)
        room, waiting = room - len(texts[at]), waiting - 1
    return ", ".join(name + text for (name, _), text in zip(pairs, texts, strict=True))
