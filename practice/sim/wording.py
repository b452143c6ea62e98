"""Checks of plain values that name the field, the value, and what is accepted."""

import math


def check_number(name, value, *, above=None, least=None, below=None, most=None):
    """Raises ValueError unless value is a finite number within the bounds; `above` and `below` are exclusive."""
    bounds = [f"{word} {bound:g}" for word, bound in
              (("above", above), ("at least", least), ("below", below), ("at most", most)) if bound is not None]
    fine = (
        isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        and (above is None or value > above) and (least is None or value >= least)
        and (below is None or value < below) and (most is None or value <= most)
    )
    if not fine:
        raise ValueError(f"{name} is {value!r}, but it must be a number " + " and ".join(bounds))


def check_whole(name, value, *, least):
    """Raises ValueError unless value is a whole number (an int, or a float such as 512.0) of at least `least`."""
    fine = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value == int(value)
    if not fine or value < least:
        raise ValueError(f"{name} is {value!r}, but it must be a whole number of at least {least}")


def check_choice(name, value, choices):
    """Raises ValueError unless value is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}, but it must be one of {', '.join(choices)}")
