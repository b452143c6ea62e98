"""Objects, classes and functions of a submission as a check holds them: methods, attributes, len, [], in, iteration, with."""

from practice.kernel.failure import Remote, builtin_name

SHAPES = ("class", "function", "fields", "tuple", "enum")
"""What a handle may stand for beside a plain object: "fields" is a dataclass, "tuple" a namedtuple."""


class Reference:
    """Which remote thing a handle stands for."""

    __slots__ = ("fields", "kind", "link", "name", "shape", "target")

    def __init__(self, link, target, kind, name: str, shape: str) -> None:
        self.link = link
        """The session it belongs to."""
        self.target = target
        self.kind = kind
        """The target that describes its class."""
        self.name = name
        """The name of its class; of a class or a function of the module, its own."""
        self.shape = shape
        """One of SHAPES, or "" for any other object."""
        self.fields: dict | None = None
        """Field values, once they were asked for."""


class Method:
    """A method of a remote object, to be called."""

    __slots__ = ("_of", "_name")

    def __init__(self, of: Reference, name: str) -> None:
        self._of = of
        self._name = name

    def __call__(self, *args, **kwargs):
        return self._of.link.call(self._of.target, self._name, args, kwargs)


class Handle:
    """A remote object, class or function. Two handles of one object are equal; `==` with a value is always False."""

    __slots__ = ("_remote",)

    def __init__(self, reference: Reference) -> None:
        object.__setattr__(self, "_remote", reference)

    def __call__(self, *args, **kwargs):
        remote = self._remote
        return remote.link.call(remote.target, None, args, kwargs)

    def __getattr__(self, name: str):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        remote = self._remote
        if name in remote.link.describe(remote.kind)[0]:
            return Method(remote, name)
        return remote.link.get(remote.target, name)

    def __setattr__(self, name: str, value) -> None:
        self._remote.link.set(self._remote.target, name, value)

    def __repr__(self) -> str:
        return f"<{self._remote.shape or 'object'} {self._remote.name}>"

    def __hash__(self) -> int:
        return hash((id(self._remote.link), self._remote.target))

    def __eq__(self, other) -> bool:
        if type(other) is not Handle or other._remote.link is not self._remote.link:
            return False
        if other._remote.target == self._remote.target:
            return True
        return self._knows("__eq__") and self._ask_bool("__eq__", other)

    def __bool__(self) -> bool:
        if self._remote.shape in ("class", "function"):
            return True
        return self._ask_bool("__bool__") if self._knows("__bool__") else not self._knows("__len__") or len(self) > 0

    def __len__(self) -> int:
        size = self._operate("__len__", "len()")
        if type(size) is not int or size < 0:
            raise self._remote.link.missing("TypeError", "`__len__` must give a whole number")
        return size

    def __contains__(self, item) -> bool:
        if not self._knows("__contains__"):
            return any(one == item for one in self)
        return self._ask_bool("__contains__", item)

    def __iter__(self):
        if self._knows("__getitem__") and not self._knows("__iter__"):
            return self._operate("__getitem__", "iteration", "__iter__")
        if self._knows("__aiter__"):
            return self._operate("__aiter__", "iteration", "__iter__")
        return self._operate("__iter__", "iteration")

    def __next__(self):
        if self._knows("__anext__"):
            return self._operate("__anext__", "next()")
        return self._operate("__next__", "next()")

    def __getitem__(self, key):
        return self._operate("__getitem__", "[...]", None, key)

    def __setitem__(self, key, value) -> None:
        self._operate("__setitem__", "[...] = ", None, key, value)

    def __delitem__(self, key) -> None:
        self._operate("__delitem__", "del [...]", None, key)

    def __enter__(self):
        return self._operate("__enter__", "with")

    def __exit__(self, kind, error, _trace) -> bool:
        """Runs the remote exit; it may swallow only what the submission itself raised."""
        if error is None or not isinstance(error, Exception):
            self._operate("__exit__", "with", None, None, "")
            return False
        swallowed = self._operate("__exit__", "with", None, builtin_name(error), str(error))
        return swallowed is True and isinstance(error, Remote)

    def __instancecheck__(self, value) -> bool:
        if type(value) is not Handle or value._remote.link is not self._remote.link:
            return False
        return self._remote.name in value._remote.link.describe(value._remote.kind)[1]

    def __copy__(self) -> "Handle":
        return self

    def __deepcopy__(self, _memo) -> "Handle":
        return self

    def _knows(self, method: str) -> bool:
        return method in self._remote.link.describe(self._remote.kind)[0]

    def _operate(self, needs: str, syntax: str, method: str | None = None, *args):
        remote = self._remote
        if remote.shape == "class" or not self._knows(needs):
            raise remote.link.missing("TypeError", f"a {remote.name} does not support {syntax}")
        return remote.link.call(remote.target, method or needs, args, {})

    def _ask_bool(self, method: str, *args) -> bool:
        answer = self._remote.link.call(self._remote.target, method, args, {})
        if type(answer) is not bool:
            raise self._remote.link.missing("TypeError", f"`{method}` must give True or False")
        return answer


def _forward(method: str, syntax: str, is_comparison: bool):
    """An operator between two objects of the submission. With a plain value there is none: an object that claims to be
    less than any limit, or gives 0 for any difference, would pass for a right number."""

    def operate(self, other):
        if type(other) is not Handle:
            return NotImplemented
        return self._ask_bool(method, other) if is_comparison else self._operate(method, syntax, None, other)

    return operate


for _method, _syntax in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
    setattr(Handle, _method, _forward(_method, _syntax, True))
for _method, _syntax in (("__add__", "+"), ("__sub__", "-"), ("__mul__", "*"), ("__truediv__", "/")):
    setattr(Handle, _method, _forward(_method, _syntax, False))
