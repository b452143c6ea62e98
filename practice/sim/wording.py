"""Checks of plain values that name the field, the value, and what is accepted."""

import math


def check_number(name, value, *, above=None, least=None, below=None, most=None):
    """Raises ValueError unless value is a finite number within the bounds; `above` and `below` are exclusive."""
    fine = (
        _is_finite(value)
        and (above is None or value > above) and (least is None or value >= least)
        and (below is None or value < below) and (most is None or value <= most)
    )
    if not fine:
        bounds = [f"{word} {bound:g}" for word, bound in
                  (("above", above), ("at least", least), ("below", below), ("at most", most)) if bound is not None]
        raise ValueError(f"{name} is {_shown(value)}, but it must be a number {' and '.join(bounds)}".rstrip())


def check_whole(name, value, *, least):
    """Raises ValueError unless value is a whole number (an int, or a float such as 512.0) of at least `least`."""
    if not _is_finite(value) or value != int(value) or value < least:
        raise ValueError(f"{name} is {_shown(value)}, but it must be a whole number of at least {least}")


def check_count(name, value, *, least):
    """Raises ValueError unless value is an int of at least `least`: a float such as 512.0 is none."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {_shown(value)}, but it must be a whole number (an int) of at least {least}")


def _is_finite(value):
    """True for a number that a float can hold; an int may be larger."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _shown(value):
    """The value as Python writes it, cut where that is long; an int of many digits cannot be written at all."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"an int of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def check_choice(name, value, choices):
    """Raises ValueError unless value is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is {_shown(value)}, but it must be one of {', '.join(choices)}")


def read_text(path):
    """The text of a file in UTF-8. Raises ValueError, naming the file, for another encoding; OSError as `open` does."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte 0x{error.object[error.start]:02x} at {error.start})") from None
