"""The side where the submission lives: answers the judge's requests, one frame for one frame.

    ["load", source]                                  ["v", {name: kind}] or ["l", message, lines]
    ["call", target, method, args, kwargs]            ["v", value], or ["r", value, args, kwargs] when arguments were changed
    ["get", target, name]  ["set", target, name, value]
    ["describe", target]   ["fields", target]
    ["run", source, name, args]                       a scenario

Any may be answered by ["e", class, message, lines, number, changed arguments] (it raised), ["s", value] (an iterator's
end) or ["x", reason] (what came back cannot be carried). A target is a name of the module or the number of an object
that was handed out. Nothing here is trusted by the judge: this code shares its process with the submission.
"""

import builtins
import sys
from types import BuiltinFunctionType, CoroutineType, FunctionType, MethodType

from practice.kernel import load, tracebacks, wire

BUILTIN_ERRORS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_BASES = vars(type)["__bases__"].__get__
_SIMPLE = frozenset({int, float, bool, str, bytes, type(None), complex})
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)


class Server:
    """One submission, and the objects of it that the judge holds handles to."""

    def __init__(self, name: str = "submission") -> None:
        self._name = name
        self._source = ""
        self._module = None
        self._objects: list = []
        self._numbers: dict[int, int] = {}
        self._callbacks: dict[int, Callback] = {}
        self._call_back = None
        self._is_comparing = False
        self._loop = None
        self._codec = wire.Codec(self._pack, {"o": self._object, "k": self._callback, "g": lambda number: Feed(self, number)})
        self._operations = {
            "load": self._load, "call": self._call, "get": self._get, "set": self._set,
            "describe": self._describe, "fields": self._fields, "run": self._run,
        }  # fmt: skip

    def handle(self, frame: bytes, call_back) -> bytes:
        """The answer to one request. `call_back(frame) -> frame` reaches the judge meanwhile; it may ask again first."""
        self._call_back = call_back
        request = self._codec.decode(frame)
        try:
            answer = self._operations[request[0]](*request[1:])
        except BaseException as error:
            answer = self._raised(error)
        try:
            if request[0] == "call" and not _all_simple(request[3], request[4]):
                answer = self._with_changes(answer, request, frame)
            return self._codec.encode(wire.ANSWER, answer)
        except wire.WireError as error:
            return self._codec.encode(wire.ANSWER, ["x", str(error)])
        except BaseException as error:
            return self._codec.encode(wire.ANSWER, self._raised(error))

    # the requests

    def _load(self, source: bytes) -> list:
        try:
            self._source = load.decode_source(source)
            self._module = load.load(self._source, self._name)
        except load.LoadError as error:
            return ["l", error.message, error.lines]
        return ["v", load.kinds_of_names(self._module)]

    def _call(self, target, method, args: list, kwargs) -> list:
        subject = self._object(target)
        if method is None:
            result = subject(*args, **(kwargs or {}))
        elif method in _OPERATORS:
            result = _OPERATORS[method](subject, *args)
        elif method in ("__next__", "__anext__"):
            return self._next(subject)
        else:
            result = getattr(subject, method)(*args, **(kwargs or {}))
        return ["v", self._complete(result)]

    def _next(self, subject) -> list:
        try:
            if not hasattr(type(subject), "__next__") and hasattr(type(subject), "__anext__"):
                return ["v", self._finish(subject.__anext__())]
            return ["v", self._complete(next(subject))]
        except (StopIteration, StopAsyncIteration) as stop:
            return ["s", getattr(stop, "value", None)]

    def _get(self, target, name: str) -> list:
        if target is not None:
            return ["v", getattr(self._object(target), name)]
        if not hasattr(self._module, name):
            raise AttributeError(f"your file defines no `{name}`")
        return ["v", getattr(self._module, name)]

    def _set(self, target, name: str, value) -> list:
        setattr(self._object(target), name, value)
        return ["v", None]

    def _describe(self, target) -> list:
        subject = self._object(target)
        kind = subject if isinstance(subject, type) else type(subject)
        methods = {}
        for base in type.mro(kind)[:-1]:
            for name, value in vars(base).items():
                methods.setdefault(name, callable(value) or isinstance(value, (classmethod, staticmethod)))
        names = [tracebacks.class_name(base) for base in type.mro(kind)]
        error = self._error_class(kind, 0) if issubclass(kind, BaseException) else None
        return ["v", [[name for name, is_method in methods.items() if is_method], names, error]]

    def _fields(self, target) -> list:
        subject = self._object(target)
        shape = _shape(subject)
        if shape == "tuple":
            return ["v", [list(type(subject)._fields), list(tuple.__iter__(subject))]]
        names = list(type(subject).__dataclass_fields__) if shape == "fields" else ["name", "value"]
        return ["v", [names, [object.__getattribute__(subject, name) for name in names]]]

    def _run(self, source: str, name: str, args: list) -> list:
        namespace = {"__name__": "scenario", "__builtins__": builtins}
        exec(compile(source, "scenario", "exec", dont_inherit=True), namespace)
        return ["v", self._complete(namespace[name](self._module, *args))]

    # what requests share

    def _object(self, target):
        if type(target) is str:
            return getattr(self._module, target)
        return self._objects[target]

    def _complete(self, result):
        """The result; of a coroutine, what it gives in the end."""
        return self._finish(result) if type(result) is CoroutineType else result

    def _finish(self, awaitable):
        from practice.kernel import eventloop

        if self._loop is None:
            self._loop = eventloop.Loop()
        return eventloop.complete(self._loop, awaitable)

    def _with_changes(self, answer: list, request: list, frame: bytes) -> list:
        """The answer, with the arguments as they are now if the call changed them: the same values make the same frame."""
        self._is_comparing = True
        try:
            if self._codec.encode(wire.REQUEST, request) == frame:
                return answer
        finally:
            self._is_comparing = False
        if answer[0] == "v":
            return ["r", answer[1], request[3], request[4]]
        return [*answer[:5], [request[3], request[4]]] if answer[0] == "e" else answer

    def _raised(self, error: BaseException) -> list:
        try:
            return self._described_error(error)
        except BaseException as second:
            return ["e", "RuntimeError", f"raised something that cannot be described ({tracebacks.class_name(type(second))})", [], None, None]

    def _described_error(self, error: BaseException) -> list:
        lines = tracebacks.own_lines(error, f"{self._name}.py", self._source)
        said = tracebacks.message_of(error)
        tracebacks.forget_frames(error)
        return ["e", self._error_class(type(error), 0), said, lines, self._number(error), None]

    def _error_class(self, kind: type, depth: int):
        """A builtin exception by its name; another as [number, name, base classes]."""
        name = tracebacks.class_name(kind)
        if getattr(builtins, name, None) is kind and name in BUILTIN_ERRORS:
            return name
        bases = [base for base in _BASES(kind) if issubclass(base, BaseException)] if depth < 8 else []
        return [self._number(kind), name, [self._error_class(base, depth + 1) for base in bases] or ["Exception"]]

    # what goes over the wire beside plain values

    def _number(self, value) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return number

    def _pack(self, value) -> tuple[str, object]:
        if type(value) is Callback:
            return "k", value.number
        if type(value) is Feed:
            return "g", value.number
        if self._is_comparing and id(value) in self._numbers:
            return "o", self._numbers[id(value)]  # as the judge sends what it holds a handle to
        shape = _shape(value)
        kind = value if shape == "class" else type(value)
        return "h", [self._number(value), self._number(kind), tracebacks.class_name(kind), shape]

    def _callback(self, number: int) -> "Callback":
        if number not in self._callbacks:
            self._callbacks[number] = Callback(self, number)
        return self._callbacks[number]

    def ask(self, number: int, args: list, kwargs: dict | None):
        """Call a function of the judge's. Raises what it raised, if that is a builtin exception."""
        reply = self._codec.decode(self._call_back(self._codec.encode(wire.CALLBACK, [number, args, kwargs])))
        if reply[0] == "v":
            return reply[1]
        if reply[0] == "s":
            raise StopIteration(reply[1])
        raise _builtin_error(reply[1], reply[2])


class Callback:
    """A function of the judge's, as the submission holds it."""

    def __init__(self, server: Server, number: int) -> None:
        self._server = server
        self.number = number

    def __call__(self, *args, **kwargs):
        return self._server.ask(self.number, list(args), kwargs or None)


class Feed:
    """An iterator of the judge's, as the submission holds it: each item is asked for when it is wanted."""

    def __init__(self, server: Server, number: int) -> None:
        self._server = server
        self.number = number

    def __iter__(self) -> "Feed":
        return self

    def __next__(self):
        return self._server.ask(self.number, [], None)


def serve(server: Server, read, write) -> None:
    """Answer requests from a pipe until it ends. `read(n)` gives at most n bytes; `write` takes all it is given."""

    def call_back(frame: bytes) -> bytes:
        wire.write_frame(write, frame)
        while True:
            reply = wire.read_frame(read)
            if reply is None:
                raise SystemExit("the judge is gone")
            if wire.kind_of(reply) == wire.RESULT:
                return reply
            wire.write_frame(write, server.handle(reply, call_back))

    while (frame := wire.read_frame(read)) is not None:
        wire.write_frame(write, server.handle(frame, call_back))


def _builtin_error(name: str, message: str) -> BaseException:
    try:
        return getattr(builtins, name)(message)
    except TypeError:  # UnicodeDecodeError and its like take more than a message
        return RuntimeError(message)


def _all_simple(args: list, kwargs: dict | None) -> bool:
    """True when no argument can have been changed."""
    return _SIMPLE.issuperset(map(type, args)) and (not kwargs or _SIMPLE.issuperset(map(type, kwargs.values())))


def _shape(value) -> str:
    """What a handle stands for: a class, a function, something with fields, or just an object ("")."""
    kind = type(value)
    if isinstance(value, type):
        return "class"
    if isinstance(value, _FUNCTIONS):
        return "function"
    if issubclass(kind, tuple):
        return "tuple"
    if any("__dataclass_fields__" in vars(base) for base in type.mro(kind)):
        return "fields"
    enum = sys.modules.get("enum")
    return "enum" if enum and issubclass(kind, enum.Enum) else ""


def _iterate(subject):
    return iter(subject) if hasattr(type(subject), "__iter__") or not hasattr(type(subject), "__aiter__") else subject.__aiter__()


def _set_item(subject, key, value) -> None:
    subject[key] = value


def _delete_item(subject, key) -> None:
    del subject[key]


def _exit(subject, error: str | None, message: str):
    if error is None:
        return type(subject).__exit__(subject, None, None, None)
    raised = _builtin_error(error, message)
    return type(subject).__exit__(subject, type(raised), raised, None)


_OPERATORS = {
    "__len__": len,
    "__bool__": bool,
    "__iter__": _iterate,
    "__getitem__": lambda subject, key: subject[key],
    "__setitem__": _set_item,
    "__delitem__": _delete_item,
    "__contains__": lambda subject, item: item in subject,
    "__enter__": lambda subject: type(subject).__enter__(subject),
    "__exit__": _exit,
    "__eq__": lambda one, other: one == other,
    "__lt__": lambda one, other: one < other,
    "__le__": lambda one, other: one <= other,
    "__gt__": lambda one, other: one > other,
    "__ge__": lambda one, other: one >= other,
    "__add__": lambda one, other: one + other,
    "__sub__": lambda one, other: one - other,
    "__mul__": lambda one, other: one * other,
    "__truediv__": lambda one, other: one / other,
}
"""Asked for as Python's syntax would, so that a class's own rules (a missing method, a reflected one) hold."""
