"""numpy arrays and scalars as bytes, without importing numpy before there is one to carry.

Only plain dtypes pass: bool, integers, floats, complex numbers and fixed-width text. Object and structured dtypes,
which would run code or name types on arrival, do not.
"""

import sys

MAX_ELEMENTS = 2**31
"""No shape may stand for more elements, counting a dimension of 0 as 1: (0, 2**62) is refused."""
MAX_DIMENSIONS = 32
_LARGE = 65_536
"""Bytes from which on a copy is worth avoiding."""


def loaded_numpy():
    """numpy if something has imported it already, else None: until then no value can be an array."""
    return sys.modules.get("numpy")


def is_plain(dtype) -> bool:
    """True for a dtype whose values are nothing but their bytes."""
    return dtype.kind in "biufcSU" and dtype.names is None and dtype.itemsize > 0


def array_bytes(array) -> tuple[str, list[int], bytes | memoryview]:
    """The array's dtype, shape and elements in row-major order; a view of them where they lie in that order already.

    Raises ValueError for a dtype that is not plain.
    """
    if not is_plain(array.dtype):
        raise ValueError(f"an array of dtype {array.dtype.kind!r} cannot be carried, only numbers, bools and text")
    if array.nbytes >= _LARGE and array.flags.c_contiguous and array.dtype.kind in "biufc":
        return array.dtype.str, list(array.shape), array.data
    return array.dtype.str, list(array.shape), loaded_numpy().ndarray.tobytes(array)


def array_size(dtype: str, shape: list[int]) -> int:
    """Bytes that an array of this dtype and shape takes.

    Raises ValueError for a dtype that is not plain and for an absurd shape.
    """
    kind = _dtype(dtype)
    if type(shape) is not list or len(shape) > MAX_DIMENSIONS:
        raise ValueError("a shape is a list of at most 32 whole numbers")
    elements = room = 1
    for size in shape:
        if type(size) is not int or size < 0:
            raise ValueError("a shape is a list of whole numbers")
        elements *= size
        room *= max(size, 1)
        if room > MAX_ELEMENTS:
            raise ValueError("a shape too large to be carried")
    return elements * kind.itemsize


def array_from(dtype: str, shape: list[int], data):
    """A new, writable array with these elements; never a view of `data`."""
    return _numpy().frombuffer(data, _dtype(dtype)).reshape(shape).copy()


def scalar_from(dtype: str, data):
    """The numpy scalar with these bytes."""
    return _numpy().frombuffer(data, _dtype(dtype))[0]


def _numpy():
    import numpy

    return numpy


def _dtype(text: str):
    if type(text) is not str or not 2 <= len(text) <= 12 or text[0] not in "<>|=" or text[1] not in "biufcSU":
        raise ValueError("not a plain dtype")
    if not text[2:].isdecimal() or not text.isascii():
        raise ValueError("not a plain dtype")
    try:
        dtype = _numpy().dtype(text)
    except TypeError:
        raise ValueError("not a plain dtype") from None
    if not is_plain(dtype):
        raise ValueError("not a plain dtype")
    return dtype
