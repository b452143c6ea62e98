"""help() without pydoc, which is 30 KB of brotli for pages that mostly never call it: signatures and docstrings."""

import inspect
from typing import Any

USAGE = "help(sim.knee) shows a function's arguments and what it says of itself; help(sim) and help(sim.Setup) list what is in them."


def manual(*things: Any) -> None:
    """Prints what a module, class or function says of itself; without one, how to ask."""
    print("\n\n".join(_page(thing) for thing in things) or USAGE)


def _page(thing: Any) -> str:
    """A heading, the docstring, and a line for each public part. An instance is told as its class."""
    if not (inspect.ismodule(thing) or inspect.isclass(thing) or callable(thing)):
        thing = type(thing)
    said = inspect.getdoc(thing) or "(Nothing is written about it here: the browser's Python comes without the standard library's docstrings.)"
    parts = [_line(name, getattr(thing, name, None)) for name in _public(thing)]
    return "\n\n".join(filter(None, [_heading(thing), inspect.cleandoc(said), "\n".join(parts)]))


def _heading(thing: Any) -> str:
    if inspect.ismodule(thing):
        return f"module {thing.__name__}"
    return ("class " if inspect.isclass(thing) else "") + getattr(thing, "__name__", type(thing).__name__) + _signature(thing)


def _signature(thing: Any) -> str:
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError):  # some that are written in C tell nobody
        return "(...)"


def _public(thing: Any) -> list[str]:
    if inspect.ismodule(thing):
        return list(getattr(thing, "__all__", None) or [name for name in dir(thing) if not name.startswith("_")])
    return [name for name in vars(thing) if not name.startswith("_")] if inspect.isclass(thing) else []


def _line(name: str, part: Any) -> str:
    """`    name(arguments)  first line of its docstring`."""
    first = (inspect.getdoc(part) or "").partition("\n")[0] if callable(part) or isinstance(part, property) else ""
    arguments = _signature(part) if inspect.isroutine(part) else ""
    return f"    {name}{arguments}  {first}".rstrip()
