"""Values and foreign text made safe to read: never runs code of a submission, never raises, never grows without bound."""

import re

from practice.kernel import arrays
from practice.kernel.handle import Handle

MOST_DEPTH = 6
_LONG_INT = 200
"""Bits; a longer int is described, because writing it out takes quadratic time and str() refuses 4,300 digits."""
_SMALL = 64
"""Elements up to which an array is shown with its brackets."""
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")


class Name:
    """Stands for something that is shown by its name: a function, an object of the submission."""

    def __init__(self, text: str) -> None:
        self.text = text


def show(value, limit: int = 200) -> str:
    """The value as Python would write it, cut to about `limit` characters."""
    try:
        return _cut(_show(value, limit, 0), limit + 80)
    except Exception as error:  # a message is better short than missing
        return f"<{type(value).__name__}, which cannot be shown: {type(error).__name__}>"


def clean(text: str, limit: int = 4096) -> str:
    """Foreign text for a terminal or a page: escape sequences gone, control characters and lone surrogates escaped."""
    text = _ANSI.sub("", text[: 2 * limit])
    if not text.isprintable():
        text = "".join(char if char.isprintable() or char in "\n\t" else _escape(char) for char in text[:limit])
    return _cut(text, limit)


def kind_of(value) -> str:
    """What sort of value it is, with an article: `a list of 3 items`, `an int`."""
    if type(value) is Handle:
        remote = value._remote
        return f"the {remote.shape} {remote.name}" if remote.shape in ("class", "function") else _article(remote.name)
    if _is_array(value):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if value is None:
        return "None"
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return f"{_article(type(value).__name__)} of {count(len(value), 'item')}"
    return _article(type(value).__name__)


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _show(value, room: int, depth: int) -> str:
    kind = type(value)
    if kind is int:
        return repr(value) if value.bit_length() <= _LONG_INT else _show_long(value)
    if kind is float:
        return _show_float(value)
    if kind in (bool, complex, type(None)):
        return repr(value)
    if kind in (str, bytes):
        return _show_text(value, room)
    if kind is Name:
        return value.text
    if kind is Handle:
        return _show_handle(value._remote, room, depth)
    if depth >= MOST_DEPTH and isinstance(value, (list, tuple, dict, set, frozenset)):
        return "..."
    if _is_array(value):
        return _show_array(value, room, depth)
    if isinstance(value, dict):
        pairs = ((f"{_show(key, room // 2, depth + 1)}: ", item) for key, item in value.items())
        return "{" + _items(pairs, len(value), room, depth) + "}"
    opening, closing = _BRACKETS.get(kind, ("", ""))
    if opening:
        ordered = _in_order(value) if kind in (set, frozenset) else value
        inner = _items((("", item) for item in ordered), len(value), room, depth)
        if not value and kind in (set, frozenset):
            return f"{kind.__name__}()"
        return f"{opening}{inner}{',' if kind is tuple and len(value) == 1 else ''}{closing}"
    return str(value) if _is_scalar(value) else clean(repr(value), room)


_BRACKETS = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}"), frozenset: ("frozenset({", "})"), bytearray: ("bytearray([", "])")}


def _in_order(items) -> list:
    """The items of a set in an order of their own: text hashes differently in every process, and a verdict must not."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda item: (type(item).__name__, repr(item)))


def _items(pairs, size: int, room: int, depth: int) -> str:
    """Items until the room is used up, then how many more there are."""
    parts: list[str] = []
    used = 0
    for before, item in pairs:
        text = before + _show(item, max(room - used, 20), depth + 1)
        used += len(text) + 2
        if parts and used > room:
            break
        parts.append(text)
    more = [f"... {size - len(parts):,} more"] if len(parts) < size else []
    return ", ".join(parts + more)


def _show_float(value: float) -> str:
    """A round number of a million or more as one would write it: 100.5e9, which is the same float as 100500000000.0."""
    text = repr(value)
    digits = text.removesuffix(".0")
    zeros = len(digits) - len(digits.rstrip("0"))
    if digits == text or not digits.lstrip("-").isdecimal() or len(digits.lstrip("-")) < 7 or zeros < 5:
        return text
    power = (len(digits.lstrip("-")) - 1) // 3 * 3
    tail = digits[-power:].rstrip("0")
    return f"{digits[:-power]}{'.' if tail else ''}{tail}e{power}"


def _show_long(value: int) -> str:
    digits = int(value.bit_length() * 0.30103) + 1
    return f"{'-' if value < 0 else ''}...{abs(value) % 10**12:012d} (an int of about {digits:,} digits)"


def _show_text(value, room: int) -> str:
    if len(value) <= room:
        return repr(value)
    unit = "characters" if type(value) is str else "bytes"
    return f"{value[: max(room - 20, 10)]!r}... ({len(value):,} {unit})"


def _show_handle(remote, room: int, depth: int) -> str:
    if remote.fields is None:
        return f"<{remote.shape} {remote.name}>" if remote.shape in ("class", "function") else f"<{remote.name} object>"
    if remote.shape == "enum":
        return clean(f"{remote.name}.{remote.fields['name']}", room)
    return f"{remote.name}({_items(((f'{name}=', item) for name, item in remote.fields.items()), len(remote.fields), room, depth)})"


def _show_array(value, room: int, depth: int) -> str:
    """A small one as it would be typed; of a large one the first elements in row-major order, its shape and its dtype."""
    usual = ("float64", "int64", "bool", str(arrays.loaded_numpy().dtype(int)))  # a browser's whole numbers have 32 bits
    dtype = "" if str(value.dtype) in usual else f", dtype={value.dtype}"
    if value.size <= _SMALL:
        return f"array({_show(_shortened(value.tolist()), room, depth)}{dtype})"
    inner = _items((("", item) for item in _shortened(value.flat[:200].tolist())), value.size, room, depth)
    return f"array([{inner}], shape={value.shape}{dtype})"


def _shortened(elements):
    """Nested lists with their floats to eight digits: where two differ further back, the difference says so."""
    if type(elements) is list:
        return [_shortened(element) for element in elements]
    if type(elements) is not float:
        return elements
    text = f"{elements:.8g}"
    return Name(f"{text}.0" if text.lstrip("-").isdigit() else text)


def _is_array(value) -> bool:
    numpy = arrays.loaded_numpy()
    return numpy is not None and isinstance(value, numpy.ndarray)


def _is_scalar(value) -> bool:
    numpy = arrays.loaded_numpy()
    return numpy is not None and isinstance(value, numpy.generic)


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text) - limit:,} more characters)"
