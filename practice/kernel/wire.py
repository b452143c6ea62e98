"""The closed codec between a check and a submission: frames of plain values, and how they travel through a pipe.

A frame is one kind byte, the length of a JSON text, the text, and a blob of raw bytes:

    Q + 0000002a + ["call", "plan", null, [200, {"a": ["<f4", [2]]}], {}] + the array's 8 bytes

JSON carries None, bool, int below 64 bits, float, str and list as they are. Everything else is an object with one key,
the tag; what is bulky (bytes, arrays, long lists of one kind of number) lies in the blob, in the order of the tags. The
decoder builds tags bottom up from C, so a list of numbers costs no Python at all. Nothing is looked up by name, nothing
is called, and pickle is not used: a frame from the other side is data or a WireError.
"""

import json
import re
from array import array
from json import encoder as _json
from time import perf_counter

from practice.kernel import arrays

REQUEST, ANSWER, CALLBACK, RESULT = b"Q", b"A", b"C", b"R"
"""Kinds of frames: judge asks, submission answers; submission calls back, judge answers that."""

MAX_FRAME = 64 * 2**20
"""Bytes."""
MAX_NODES = 2_000_000
"""Values in one frame, counting the items of containers."""
MAX_DEPTH = 60
"""Containers within containers."""
MAX_HASHING = 2.0
"""Seconds that building the dicts and sets of one frame may take: colliding keys make it quadratic."""

_SMALL = 2**63
_PACKED = 32
"""From this length on a list of ints or floats goes into the blob."""
_RAW = frozenset({str, float, bool, type(None)})
_JSON_DEPTH = 3 * MAX_DEPTH + 20
"""A dict takes three brackets: {"d": [[keys], [values]]}."""
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_RUN = re.compile(rb"\[+|\]+")
_AS_SQUARE = bytes.maketrans(b"{}", b"[]")
_HEADER = 5
_PART = 2**18
"""Bytes asked for at once: a header that lies about the size costs no memory."""


class WireError(Exception):
    """A value that cannot be carried, or a frame that is not one of ours; the message says which and why."""


class Codec:
    """Encodes and decodes frames; one per side of a session.

    pack: value -> (tag, payload) for what is outside the closed list (objects, functions), or raises WireError.
    unpack: tag -> function of the payload, for the tags that `pack` of the other side gives.
    """

    def __init__(self, pack, unpack) -> None:
        self._pack = pack
        self._nodes = 0
        self._parts: list[bytes | memoryview] = []
        self._blob = memoryview(b"")
        self._at = 0
        self._hashing = 0.0
        self._scan = json.JSONDecoder(object_hook=self._from_tag).scan_once
        self._write = _writer()
        self._trees = {
            list: self._list,
            tuple: lambda value, depth: {"t": self._list(list(value), depth)},
            dict: self._dict,
            set: lambda value, depth: {"s": self._list(_in_order(value), depth)},
            frozenset: lambda value, depth: {"z": self._list(_in_order(value), depth)},
            bytes: lambda value, depth: {"b": self._put(value)},
            bytearray: lambda value, depth: {"B": self._put(bytes(value))},
            complex: lambda value, depth: {"c": [value.real, value.imag]},
            slice: lambda value, depth: {"l": self._list([value.start, value.stop, value.step], depth)},
        }
        self._tags = {
            "t": tuple,
            "d": self._to_dict,
            "s": self._to_set,
            "z": lambda items: frozenset(self._to_set(items)),
            "b": lambda size: bytes(self._take(size)),
            "B": lambda size: bytearray(self._take(size)),
            "i": _to_int,
            "c": _to_complex,
            "l": lambda bounds: slice(*bounds),
            "q": lambda count: self._unpacked("q", count),
            "f": lambda count: self._unpacked("d", count),
            "a": self._to_array,
            "n": self._to_scalar,
            **unpack,
        }

    def encode(self, kind: bytes, value) -> bytes:
        """The frame that carries `value`.

        Raises WireError when the value is nested too deeply (or holds itself), too large, or not to be carried.
        """
        self._nodes, self._parts = 0, []
        text = self._write(self._tree(value, 0)).encode("utf-8", "surrogatepass")
        frame = b"".join((kind, len(text).to_bytes(4, "little"), text, *self._parts))
        self._parts = []
        if len(frame) > MAX_FRAME:
            raise WireError(f"larger than {MAX_FRAME >> 20} MiB")
        return frame

    def decode(self, frame: bytes):
        """The value in a frame. Raises WireError for anything that `encode` would not have made."""
        try:
            size = int.from_bytes(frame[1:_HEADER], "little")
            end = _HEADER + size
            if not _HEADER <= len(frame) <= MAX_FRAME or end > len(frame):
                raise WireError("a frame of the wrong length")
            body = frame[_HEADER:end]
            _refuse_bombs(body)
            self._blob, self._at, self._nodes, self._hashing = memoryview(frame)[end:], 0, 0, 0.0
            text = str(body, "utf-8", "surrogatepass")
            value, stop = self._scan(text, 0)
            if stop != len(text) or self._at != len(self._blob):
                raise WireError("a frame with something left over")
            return value
        except (ValueError, TypeError, KeyError, StopIteration, OverflowError, RecursionError, MemoryError) as error:
            raise WireError(f"a frame that cannot be read ({type(error).__name__})") from None
        finally:
            self._blob = memoryview(b"")

    # from value to tree

    def _tree(self, value, depth: int):
        kind = type(value)
        if kind in _RAW:
            return value
        if kind is int:
            return value if -_SMALL < value < _SMALL else {"i": hex(value)}
        if depth > MAX_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} deep, or holding itself")
        tree = self._trees.get(kind)
        return tree(value, depth + 1) if tree else self._other(value, kind, depth)

    def _list(self, items: list, depth: int):
        self._count(len(items))
        kinds = set(map(type, items))
        if kinds <= _RAW or kinds == {int}:
            packed = self._packed(items, kinds) if len(items) >= _PACKED else None
            if packed:
                return packed
            if int not in kinds or (-_SMALL < min(items) and max(items) < _SMALL):
                return items
        tree = self._tree
        return [tree(item, depth) for item in items]

    def _packed(self, items: list, kinds: set):
        if kinds == {float}:
            self._put(array("d", items).tobytes())
            return {"f": len(items)}
        if kinds == {int}:
            try:
                self._put(array("q", items).tobytes())
            except OverflowError:
                return None
            return {"q": len(items)}
        return None

    def _dict(self, value: dict, depth: int):
        return {"d": [self._list(list(value), depth), self._list(list(value.values()), depth)]}

    def _other(self, value, kind: type, depth: int):
        numpy = arrays.loaded_numpy()
        if numpy is not None and issubclass(kind, (numpy.ndarray, numpy.generic)):
            return self._numpy(value, issubclass(kind, numpy.generic))
        plain = _launder(value, kind)
        if plain is not None:
            return self._tree(plain, depth)
        tag, payload = self._pack(value)
        return {tag: self._tree(payload, depth + 1)}

    def _numpy(self, value, is_scalar: bool):
        try:
            dtype, shape, data = arrays.array_bytes(arrays.loaded_numpy().asarray(value))
        except ValueError as error:
            raise WireError(str(error)) from None
        self._put(data)
        return {"n": dtype} if is_scalar else {"a": [dtype, shape]}

    def _put(self, data: bytes) -> int:
        self._count(1)
        self._parts.append(data)
        return len(data)

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise WireError(f"more than {MAX_NODES:,} values")

    # from tree to value

    def _from_tag(self, node: dict):
        if len(node) != 1:
            raise ValueError("a tag is an object with one key")
        for tag, payload in node.items():
            return self._tags[tag](payload)

    def _take(self, size: int) -> memoryview:
        start = self._at
        if type(size) is not int or size < 0 or start + size > len(self._blob):
            raise ValueError("bytes that are not there")
        self._at = start + size
        return self._blob[start : self._at]

    def _unpacked(self, code: str, count: int) -> list:
        if type(count) is not int:
            raise ValueError("a count is a whole number")
        self._count(count)
        numbers = array(code)
        numbers.frombytes(self._take(8 * count))
        return numbers.tolist()

    def _to_dict(self, pair: list) -> dict:
        keys, values = pair
        if type(keys) is not list or type(values) is not list or len(keys) != len(values):
            raise ValueError("a dict is a list of keys and one of values")
        result: dict = {}
        for start in range(0, len(keys), 256):
            began = perf_counter()
            result.update(zip(keys[start : start + 256], values[start : start + 256], strict=True))
            self._hashed(began)
        return result

    def _to_set(self, items: list) -> set:
        if type(items) is not list:
            raise ValueError("a set is a list of its items")
        result: set = set()
        for start in range(0, len(items), 256):
            began = perf_counter()
            result.update(items[start : start + 256])
            self._hashed(began)
        return result

    def _hashed(self, began: float) -> None:
        self._hashing += perf_counter() - began
        if self._hashing > MAX_HASHING:
            raise ValueError("keys that collide")

    def _to_array(self, pair: list):
        dtype, shape = pair
        return arrays.array_from(dtype, shape, self._take(arrays.array_size(dtype, shape)))

    def _to_scalar(self, dtype: str):
        return arrays.scalar_from(dtype, self._take(arrays.array_size(dtype, [1])))


def kind_of(frame: bytes) -> bytes:
    """REQUEST, ANSWER, CALLBACK or RESULT. Raises WireError for anything else."""
    kind = frame[:1]
    if kind not in (REQUEST, ANSWER, CALLBACK, RESULT):
        raise WireError("a frame of no known kind")
    return kind


def write_frame(write, frame: bytes) -> None:
    """Sends a frame with its length before it; `write` takes all bytes it is given."""
    head = len(frame).to_bytes(4, "little")
    if len(frame) < 65536:
        write(head + frame)
    else:
        write(head)
        write(frame)


def read_frame(read) -> bytes | None:
    """The next frame, or None at the end; `read(n)` gives at most n bytes, none only at the end.

    Raises WireError, before reading on, when the length is over MAX_FRAME, and when the end comes inside a frame.
    """
    head = _read_exactly(read, 4)
    if not head:
        return None
    size = int.from_bytes(head, "little")
    if len(head) < 4 or not _HEADER <= size <= MAX_FRAME:
        raise WireError("a frame of the wrong length")
    frame = _read_exactly(read, size)
    if len(frame) < size:
        raise WireError("a frame cut short")
    return frame


def _read_exactly(read, size: int) -> bytes:
    part = read(min(size, _PART))
    if len(part) == size or not part:
        return part
    parts, missing = [part], size - len(part)
    while missing and (part := read(min(missing, _PART))):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _writer():
    """A function from JSON tree to text: the C encoder made once, without its search for circles."""
    plain = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
    if _json.c_make_encoder is None:
        return plain.encode
    pieces = _json.c_make_encoder(None, plain.default, _json.encode_basestring, None, ":", ",", False, False, True)
    return lambda tree: "".join(pieces(tree, 0))


def _refuse_bombs(body: bytes) -> None:
    """Refuses a text with too many or too deeply nested values, before a parser recurses into it.

    Most frames have fewer brackets than the depth allows and are let through after three counts.
    """
    openers = body.count(b"[") + body.count(b"{")
    if openers <= _JSON_DEPTH and body.count(b",") <= MAX_NODES:
        return
    bare = _STRING.sub(b"", body)
    if bare.count(b",") + bare.count(b"[") + bare.count(b"{") > 2 * MAX_NODES:
        raise WireError(f"more than {MAX_NODES:,} values")
    brackets = bare.translate(_AS_SQUARE, _NOT_BRACKETS)
    for _ in range(_JSON_DEPTH):
        if not brackets:
            return
        shorter = brackets.replace(b"[]", b"")  # takes away the innermost level
        if len(shorter) > len(brackets) // 2:
            break  # narrow and deep: fewer passes than brackets
        brackets = shorter
    depth = 0
    for run in _RUN.finditer(brackets):
        depth += len(run[0]) if run[0][0] == 0x5B else -len(run[0])
        if depth > _JSON_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} deep")


def _in_order(items) -> list:
    """A set's items sorted where they can be, so that equal sets make equal frames."""
    if set(map(type, items)) in ({int}, {str}):
        return sorted(items)
    return list(items)


def _to_int(text: str) -> int:
    if type(text) is not str:
        raise ValueError("a large int is hexadecimal text")
    return int(text, 16)


def _to_complex(pair: list) -> complex:
    real, imaginary = pair
    if type(real) is not float or type(imaginary) is not float:
        raise ValueError("a complex number is two floats")
    return complex(real, imaginary)


_WHOLE = slice(None)
_PLAIN = (
    (int, int.__int__),
    (float, float.__float__),
    (complex, lambda value: complex(complex.real.__get__(value), complex.imag.__get__(value))),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, _WHOLE)),
    (bytearray, lambda value: bytearray.__getitem__(value, _WHOLE)),
    (list, list.copy),
    (tuple, lambda value: None if hasattr(type(value), "_fields") else tuple.__getitem__(value, _WHOLE)),
    (dict, dict.copy),
    (set, set),
    (frozenset, frozenset),
)


def _launder(value, kind: type):
    """The plain value under a subclass of a builtin, without calling its methods; None if there is none.

    A namedtuple has none: it is an object with fields.
    """
    for base, plain in _PLAIN:
        if issubclass(kind, base):
            return plain(value)
    return None
