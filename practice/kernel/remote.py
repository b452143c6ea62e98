"""What a check gets as `sub`: the submission's names, calls and objects, over a transport.

    Submission    sub.plan(200), sub.Pool(4), sub.LIMIT, sub.QueueFull, sub.run(scenario, ...)
    Link          the session behind it: requests, callbacks, arguments copied back, the record of calls

Whatever comes back is a plain copy, a handle, or an exception marked `Remote`; nothing in here runs code of the
submission in the judge's process.
"""

from practice.kernel import received, wire
from practice.kernel.failure import ErrorClasses, Remote, SessionEnded, Unreadable, builtin_name, raised
from practice.kernel.handle import SHAPES, Handle, Method, Reference
from practice.kernel.restore import restore

MOST_RECORDED = 16 * 2**20
"""Bytes of frames kept per session; of what comes later only a hash is, except of the last few calls."""
_LAST = 3


class Link:
    """One session: the transport, and what both sides agreed on so far."""

    def __init__(self, transport, role: str = "submission") -> None:
        self.role = role
        self.names: dict[str, str] = {}
        self.record: list = []
        """(request, answer) frames of what the check did, or a hash of them; see MOST_RECORDED."""
        self.last: list[tuple[bytes, bytes]] = []
        """The last three calls, whole."""
        self.asked: bytes | None = None
        """The call that has no answer yet; once the session has ended, the one during which it did."""
        self.last_value = None
        """What the last call gave."""
        self.classes: dict[int, str] = {}
        """Class names of the objects seen, by number, in the order in which they came."""
        self.allowance = received.Allowance()
        self._recorded = 0
        self._transport = transport
        self._announce = getattr(transport, "announce", None)
        self._has_ended = False
        self._functions: list = []
        self._passed: list = []
        """What the check passed for each of them: an argument that comes back is the same object again."""
        self._function_numbers: dict[int, int] = {}
        self._described: dict = {}
        self._errors = ErrorClasses()
        self._pending: BaseException | None = None
        self._codec = wire.Codec(self._pack, {"h": self._handle, "k": self._passed_before, "g": self._passed_before})

    def load(self, source: bytes) -> tuple[str, list[str]] | None:
        """Load the submission; None, or why it does not load and the learner's own lines."""
        answer = self._ask(["load", source])
        if answer[0] == "l":
            return self._read(lambda: (received.text(answer[1]), received.texts(answer[2], received.MOST_LINES)))
        self.names = self._read(lambda: received.names(self._value(answer)))
        return None

    def call(self, target, method: str | None, args: tuple, kwargs: dict):
        """Call a target, or a method of it; arguments it changed are changed here, too."""
        request = ["call", target, method, list(args), kwargs or None]
        answer = self._ask(request, recorded=True)
        if answer[0] == "v" and len(answer) == 2:
            self.last_value = answer[1]
            return self.last_value
        self._read(lambda: self._restore(answer, request[3], kwargs))
        if answer[0] == "s" and method in ("__next__", "__anext__"):
            raise StopIteration(*answer[1:2])
        self.last_value = self._value(answer)
        return self.last_value

    def get(self, target, name: str):
        self.last_value = self._value(self._ask(["get", target, name], recorded=True))
        return self.last_value

    def set(self, target, name: str, value) -> None:
        self._value(self._ask(["set", target, name, value], recorded=True))

    def run(self, source: str, name: str, args: tuple):
        """Run a scenario beside the submission."""
        self.last_value = self._value(self._ask(["run", source, name, list(args)], recorded=True))
        return self.last_value

    def fields(self, reference: Reference) -> dict | None:
        """The fields of a dataclass, namedtuple or enum member; None of anything else."""
        if reference.fields is None and reference.shape in ("fields", "tuple", "enum"):
            pair = self._value(self._ask(["fields", reference.target], recorded=True))
            reference.fields = self._read(lambda: received.fields(pair))
        return reference.fields

    def describe(self, kind) -> tuple[frozenset, tuple, object]:
        """A class: names of its methods, names of its bases, and what makes it an exception. Asked once."""
        if kind not in self._described:
            described = self._value(self._ask(["describe", kind]))
            self._described[kind] = self._read(lambda: received.description(described))
        return self._described[kind]

    def member(self, name: str):
        """A name of the submission's module."""
        kind = self.names.get(name)
        if kind == "error":
            described = self.describe(name)[2]
            return self._read(lambda: self._errors.find(described))
        if kind in ("function", "class"):
            return Handle(Reference(self, name, name, name, kind))
        return self.get(None, name)

    # one request

    def _ask(self, request: list, recorded: bool = False) -> list:
        frame = self._codec.encode(wire.REQUEST, request)
        around = self.asked
        if recorded and not self._has_ended:
            self.asked = frame
            if self._announce:
                self._announce(self)
        try:
            answer = self._transport.exchange(frame, self._on_callback)
        except SessionEnded:
            self._has_ended = True
            raise
        if not self._has_ended:  # else within this call, and the submission may have caught that
            self.asked = around
        if self._pending is not None:
            error, self._pending = self._pending, None
            raise error
        if recorded:
            self._keep(frame, answer)
        try:
            decoded = self.allowance.decode(self._codec, answer)
            if type(decoded) is not list or not decoded or wire.kind_of(answer) != wire.ANSWER:
                raise wire.WireError("not an answer")
            return decoded
        except wire.WireError as error:
            stop = self._unreadable(str(error))
        raise stop

    def _value(self, answer: list):
        kind = answer[0]
        if kind in ("v", "r"):
            return self._read(lambda: answer[1])
        if kind == "e":
            raise self._read(lambda: self._raised(*answer[1:5]))
        reason = self._read(lambda: received.text(answer[1])) if kind == "x" else "not an answer to this request"
        raise self._unreadable(reason)

    def _raised(self, described, message, lines, number) -> BaseException:
        said = received.text(message), received.texts(lines, received.MOST_LINES)
        return raised(self._errors.find(described), *said, self, received.number(number))

    def _read(self, reading):
        """The result of reading what the other side sent, which may be anything."""
        try:
            return reading()
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            stop = self._unreadable(str(error))
        raise stop

    def _unreadable(self, reason: str) -> BaseException:
        return raised(Unreadable, reason, (), self, None)

    @staticmethod
    def _restore(answer: list, args: list, kwargs: dict) -> None:
        changed = answer[2:4] if answer[0] == "r" else answer[5] if answer[0] == "e" else None
        if changed:
            new_args, new_kwargs = received.arguments(changed)
            restore(args, new_args)
            restore(kwargs, new_kwargs)

    def missing(self, kind: str, message: str) -> BaseException:
        """A builtin exception that is the submission's fault, raised on this side."""
        return raised(self._errors.find(kind), message, (), self, None)

    def _keep(self, frame: bytes, answer: bytes) -> None:
        self.last = [*self.last[1 - _LAST :], (frame, answer)]
        self._recorded += len(frame) + len(answer)
        self.record.append((frame, answer) if self._recorded <= MOST_RECORDED else hash((frame, answer)))

    # callbacks

    def _on_callback(self, frame: bytes) -> bytes:
        try:
            number, args, kwargs = received.callback(self.allowance.decode(self._codec, frame))
            function = self._functions[number]
        except (wire.WireError, ValueError, TypeError, IndexError) as error:
            return self._codec.encode(wire.RESULT, ["e", "RuntimeError", f"a callback that cannot be read: {error}"])
        try:
            return self._codec.encode(wire.RESULT, ["v", function(*args, **kwargs)])
        except StopIteration as stop:
            return self._codec.encode(wire.RESULT, ["s", stop.value])
        except SessionEnded:
            raise
        except Exception as error:
            if isinstance(error, (AssertionError, wire.WireError)) and not isinstance(error, Remote):
                self._pending = error  # a finding made inside a callback is the check's, whatever the submission does with it
            return self._codec.encode(wire.RESULT, ["e", builtin_name(error), str(error)])

    # what goes over the wire beside plain values

    def _pack(self, value) -> tuple[str, object]:
        if type(value) is Handle:
            reference = value._remote
            if reference.link is not self:
                raise wire.WireError(f"an object of the {reference.link.role} cannot be passed to the {self.role}")
            return "o", reference.target
        if type(value) is Method:
            return self._pack(lambda *args, **kwargs: value(*args, **kwargs))
        if hasattr(type(value), "__next__"):
            return "g", self._function(value, value.__next__)
        if callable(value):
            return "k", self._function(value, value)
        raise wire.WireError(f"an object of the class {type(value).__name__} cannot be passed to the {self.role}")

    def _function(self, value, function) -> int:
        number = self._function_numbers.get(id(value))
        if number is None:
            number = self._function_numbers[id(value)] = len(self._functions)
            self._functions.append(function)
            self._passed.append(value)
        return number

    def _passed_before(self, number):
        if type(number) is not int or not 0 <= number < len(self._passed):
            raise ValueError("not something that was passed")
        return self._passed[number]

    def _handle(self, payload: list) -> "Handle":
        number, kind, name, shape = payload
        if not (type(number) is type(kind) is int and 0 <= number < 2**31 and type(name) is type(shape) is str):
            raise ValueError("not a handle")
        name = name if name.isidentifier() else "object"
        shape = shape if shape in SHAPES else ""
        self.classes.setdefault(number, name)
        return Handle(Reference(self, number, kind, name, shape))


class Submission:
    """`sub`, and `ref`: every name is the submission's, but for `run` with a scenario."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        object.__setattr__(self, "_link", link)

    def __getattr__(self, name: str):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._link.member(name)

    def __setattr__(self, name: str, value) -> None:
        raise TypeError(f"a check cannot set {name!r} of a submission; pass collaborators as arguments, or use a scenario")

    def run(self, function, *args, **kwargs):
        """Run a scenario beside the submission; anything else calls the submission's own `run`."""
        from practice.kernel.scenario import source_of

        if not getattr(function, "is_scenario", False):
            return self._link.call("run", None, (function, *args), kwargs)
        return self._link.run(source_of(function), function.__name__, args)
