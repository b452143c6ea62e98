"""Whether an answer is the expected value, and where and how it is not.

`equal` and `close` give None when it is, otherwise the difference in words; "" when the two values side by side say all.
Values of the submission are plain copies or handles by now, so nothing here runs its code.
"""

import cmath
import math

from practice.kernel import arrays
from practice.kernel.handle import Handle
from practice.kernel.text import count, kind_of, show


def equal(got, expected, *, strict: bool = False) -> str | None:
    """Exact. True is not 1 and a list is not a tuple; 1 and 1.0 are equal unless `strict`, and so are 0.0 and -0.0.

    Numpy numbers count as Python's. NaN equals nothing. Arrays: the same shape, dtype and elements.
    """
    return _compared(_Exact(strict), got, expected)


def close(got, expected, *, rel: float = 1e-9, abs: float = 0.0, nan_equal: bool = False) -> str | None:
    """Numbers within `rel` of the expected value or within `abs`; everything else as `equal`, in containers, too.

    Infinities are close only to themselves. NaN is close to NaN if `nan_equal`, otherwise to nothing. Arrays: the same
    shape and the same sort of numbers; their width may differ (float32 for float64).
    """
    return _compared(_Close(rel, abs, nan_equal), got, expected)


def _compared(rule, got, expected) -> str | None:
    try:
        found = _walk(rule, got, expected, "")
    except RecursionError:
        return "nested too deeply to compare"
    if found is None:
        return None
    path, reason = found
    return f"at {path}: {reason}" if path else reason


class _Exact:
    """Numbers and arrays must be the same."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict

    def number(self, got, expected, path: str):
        if self.strict and type(got) is not type(expected):
            return path, f"{show(got)} is {kind_of(got)}, expected {kind_of(expected)}"
        if _is_nan(got):
            return path, "NaN equals nothing, not even NaN" if _is_nan(expected) else _pair(got, expected, path)
        if got != expected:
            return path, _pair(got, expected, path)
        if self.strict and type(got) is float and math.copysign(1.0, got) != math.copysign(1.0, expected):
            return path, f"a zero of the wrong sign: {got}, expected {expected}"
        return None

    def array(self, got, expected, path: str):
        if got.dtype != expected.dtype:
            return path, f"dtype {got.dtype}, expected {expected.dtype}"
        return _wrong_elements(~(got == expected), got, expected, path)


class _Close:
    """Numbers may be off by a tolerance."""

    strict = False

    def __init__(self, rel: float, abs: float, nan_equal: bool) -> None:
        self.rel = rel
        self.abs = abs
        self.nan_equal = nan_equal

    def number(self, got, expected, path: str):
        if got == expected or (self.nan_equal and _is_nan(got) and _is_nan(expected)):
            return None
        if _is_nan(got) or _is_nan(expected) or _is_infinite(got) or _is_infinite(expected):
            return path, _pair(got, expected, path)
        try:
            off = float(abs(got - expected))
            size = float(abs(expected))
        except OverflowError:
            return self._number_long(got, expected, path)
        if off <= self.rel * size or off <= self.abs:
            return None
        pair, by = _pair(got, expected, path), _factor(got, expected) or f"off by {_short(off, size)}"
        return path, f"{pair}, {by}" if pair else by

    def _number_long(self, got, expected, path: str):
        """Ints beyond the range of floats, exactly."""
        if not (isinstance(got, int) and isinstance(expected, int)):
            return path, _pair(got, expected, path)
        above, below = self.rel.as_integer_ratio() if self.rel else (0, 1)
        return None if abs(got - expected) * below <= above * abs(expected) else (path, _pair(got, expected, path))

    def array(self, got, expected, path: str):
        if _sort(got) != _sort(expected):
            return path, f"dtype {got.dtype}, expected {expected.dtype}"
        if _sort(got) not in ("number", "complex"):
            return _wrong_elements(~(got == expected), got, expected, path)
        with arrays.loaded_numpy().errstate(all="ignore"):
            wide = "c16" if _sort(got) == "complex" else "f8"
            one, other = got.astype(wide), expected.astype(wide)
            off, size = abs(one - other), abs(other)
            good = ((off <= self.rel * size) | (off <= self.abs)) & (size != math.inf) | (one == other)
            if self.nan_equal:
                good |= (one != one) & (other != other)
        return _wrong_elements(~good, got, expected, path)


def _walk(rule, got, expected, path: str):
    """None, or (path, reason) of the first difference."""
    if _are_same_leaves(rule, got, expected):
        return None
    if type(got) is Handle or type(expected) is Handle:
        return _handles(rule, got, expected, path)
    if _is_array(got) or _is_array(expected):
        if not (_is_array(got) and _is_array(expected)):
            return path, f"{kind_of(got)}, expected {kind_of(expected)}"
        if got.shape != expected.shape:
            return path, f"shape {got.shape}, expected {expected.shape}"
        return rule.array(got, expected, path)
    got, expected = _python(got), _python(expected)
    if _is_number(got) and _is_number(expected):
        return rule.number(got, expected, path)
    for kinds, walk in _CONTAINERS:
        if isinstance(got, kinds) and isinstance(expected, kinds):
            if rule.strict and type(got) is not type(expected):
                return path, f"{kind_of(got)}, expected {kind_of(expected)}"
            return walk(rule, got, expected, path)
    if type(got) is not type(expected):
        return path, _other_kind(got, expected)
    return None if got == expected else (path, _pair(got, expected, path))


def _are_same_leaves(rule, got, expected) -> bool:
    """True for equal plain values of one type: most of what is compared, and not worth a path or a look for arrays."""
    kind = type(got)
    return kind in _LEAVES and kind is type(expected) and got == expected and not (kind is float and rule.strict)


def _items(rule, got, expected, path: str):
    for at, (one, other) in enumerate(zip(got, expected, strict=False)):
        if _are_same_leaves(rule, one, other):
            continue
        found = _walk(rule, one, other, f"{path}[{at}]")
        if found:
            if len(got) != len(expected):
                return path, f"{count(len(got), 'item')}, expected {len(expected):,}; first difference at {found[0]}"
            return found
    if len(got) != len(expected):
        right = min(len(got), len(expected))
        first = f"; the first {right:,} are right" if right > 1 else "; the first is right" if right else ""
        return path, f"{count(len(got), 'item')}, expected {len(expected):,}{first}"
    return None


def _keys(rule, got: dict, expected: dict, path: str):
    missing = [key for key in expected if key not in got]
    extra = [key for key in got if key not in expected]
    if missing or extra:
        return path, _missing_and_extra("key", missing, extra)
    for key, other in expected.items():
        if _are_same_leaves(rule, got[key], other):
            continue
        found = _walk(rule, got[key], other, f"{path}[{show(key, 40)}]")
        if found:
            return found
    return None


def _members(_rule, got, expected, path: str):
    missing = [item for item in expected if item not in got]
    extra = [item for item in got if item not in expected]
    return (path, _missing_and_extra("item", missing, extra)) if missing or extra else None


def _texts(_rule, got, expected, path: str):
    if got == expected:
        return None
    if len(got) <= 40 and len(expected) <= 40:
        return path, _pair(got, expected, path)
    at = next((at for at, (one, other) in enumerate(zip(got, expected, strict=False)) if one != other), min(len(got), len(expected)))
    start = max(at - 10, 0)
    around = f"got {show(got[start : at + 20], 40)}, expected {show(expected[start : at + 20], 40)}"
    unit = "character" if isinstance(got, str) else "byte"
    return path, f"{count(len(got), unit)}, expected {len(expected):,}; first difference at {unit} {at:,}: {around}"


def _handles(rule, got, expected, path: str):
    """Objects: the same one, or of the same class with equal fields; a namedtuple also equals a plain tuple."""
    if got is expected or (type(got) is type(expected) and got._remote.link is expected._remote.link and got == expected):
        return None
    fields = [value._remote.link.fields(value._remote) if type(value) is Handle else None for value in (got, expected)]
    for value, of, other in ((got, fields[0], expected), (expected, fields[1], got)):
        if of is not None and value._remote.shape == "tuple" and type(other) is tuple:
            pair = (tuple(of.values()), other) if value is got else (other, tuple(of.values()))
            return _items(rule, *pair, path)
    if None in fields or got._remote.name != expected._remote.name:
        return path, "" if type(got) is type(expected) and not path else _other_kind(got, expected)
    for name in expected._remote.fields:
        if name not in fields[0]:
            return path, f"no field {name!r}"
        found = _walk(rule, fields[0][name], fields[1][name], f"{path}.{name}")
        if found:
            return found
    return None


_LEAVES = frozenset({int, float, str, bool, type(None)})
_CONTAINERS = (
    ((list,), _items),
    ((tuple,), _items),
    ((dict,), _keys),
    ((set, frozenset), _members),
    ((str,), _texts),
    ((bytes, bytearray), _texts),
)


def _wrong_elements(wrong, got, expected, path: str):
    """How many elements are wrong, the first of them, and the largest errors."""
    number = int(wrong.sum())
    if not number:
        return None
    first = int(wrong.ravel().argmax())
    index, rest = [], first
    for size in reversed(got.shape):
        rest, at = divmod(rest, size)
        index.insert(0, at)
    one, other = got.ravel()[first], expected.ravel()[first]
    text = f"{number:,} of {count(got.size, 'element')} wrong, the first at {index}: {show(one)}, expected {show(other)}"
    return path, text + _largest_errors(wrong, got, expected)


def _largest_errors(wrong, got, expected) -> str:
    if _sort(got) not in ("number", "complex") or _sort(expected) not in ("number", "complex"):
        return ""
    with arrays.loaded_numpy().errstate(all="ignore"):
        wide = "c16" if "complex" in (_sort(got), _sort(expected)) else "f8"
        one, other = got[wrong].astype(wide), expected[wrong].astype(wide)
        off = abs(one - other)
        off = off[(off == off) & (off != math.inf)]
        if not off.size:
            return ""
        relative = abs(one - other) / abs(other)
        relative = relative[(relative == relative) & (relative != math.inf)]
        text = f"; largest error {float(off.max()):.3g}"
        return text + (f" (relative {float(relative.max()):.3g})" if relative.size else "")


def _missing_and_extra(noun: str, missing: list, extra: list) -> str:
    parts = []
    if missing:
        parts.append(f"{_named(noun, missing)} {'is' if len(missing) == 1 else 'are'} missing")
    if extra:
        parts.append(f"{_named(noun, extra)} {'is' if len(extra) == 1 else 'are'} not expected")
    return ", ".join(parts)


def _named(noun: str, values: list) -> str:
    shown = ", ".join(show(value, 40) for value in values[:3])
    more = f" and {len(values) - 3:,} more" if len(values) > 3 else ""
    return f"the {noun}{'s' if len(values) > 1 else ''} {shown}{more}"


def _other_kind(got, expected) -> str:
    """For values of different kinds; the kinds are named unless one is None, which says it all."""
    if got is None or expected is None:
        return f"{show(got, 60)}, expected {show(expected, 60)}"
    one, other = kind_of(got), kind_of(expected)
    if one == other:
        return f"{show(got, 60)}, expected {show(expected, 60)}"
    return f"{one}, expected {other}"


def _pair(got, expected, path: str) -> str:
    """Both values inside a container; at the top they are shown anyway."""
    return f"{show(got, 60)}, expected {show(expected, 60)}" if path else ""


def _short(off: float, size: float) -> str:
    """An error, and what share of the expected value it is where that is not absurd."""
    share = off / size if size else 10
    if share >= 10:
        return f"{off:.3g}"
    return f"{off:.3g} ({100 * share:.3g}%)" if share >= 1e-4 else f"{off:.3g} (relative {share:.2g})"


def _factor(got, expected) -> str:
    """How many times too large or too small, where that says more than a difference: a forgotten factor of 500 or 1,024."""
    if isinstance(got, complex) or isinstance(expected, complex) or not got or not expected or (got < 0) != (expected < 0):
        return ""
    large = abs(got) > abs(expected)
    times = got / expected if large else expected / got
    return f"{times:.4g} times too {'large' if large else 'small'}" if 10 <= times < 1e12 else ""


def _python(value):
    """A numpy scalar as the Python value it stands for."""
    numpy = arrays.loaded_numpy()
    if numpy is None or not isinstance(value, numpy.generic):
        return value
    plain = value.item()
    return float(plain) if isinstance(plain, numpy.floating) else plain


def _is_array(value) -> bool:
    numpy = arrays.loaded_numpy()
    return numpy is not None and isinstance(value, numpy.ndarray)


def _sort(array) -> str:
    return {"b": "bool", "i": "number", "u": "number", "f": "number", "c": "complex"}.get(array.dtype.kind, "text")


def _is_number(value) -> bool:
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def _is_nan(value) -> bool:
    return value != value


def _is_infinite(value) -> bool:
    return cmath.isinf(value) if isinstance(value, complex) else isinstance(value, float) and math.isinf(value)
