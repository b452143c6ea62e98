"""Arguments that the other side changed are changed here, too: what a function does to its arguments can be seen."""

from practice.kernel import arrays


def restore(original, updated) -> None:
    """Give a container the contents of its updated copy, keeping the containers inside it where they still are.

    Items are paired by position or key. A tuple stays when only what is mutable inside it has changed.
    """
    if isinstance(original, list):
        original[:] = [_merged(original[at], new) if at < len(original) else new for at, new in enumerate(updated)]
    elif isinstance(original, dict):
        merged = {key: _merged(original.get(key), new) for key, new in updated.items()}
        original.clear()
        original.update(merged)
    elif isinstance(original, set):
        original.clear()
        original.update(updated)
    elif isinstance(original, bytearray):
        original[:] = updated
    elif original.flags.writeable:
        original[...] = updated


def _merged(old, new):
    """What stands in the original afterwards: the old object with new contents, or the new one."""
    if isinstance(old, tuple) and type(new) is tuple and len(old) == len(new):
        pairs = list(zip(old, new, strict=True))
        kept = all(_is_mutable(one, other) or one is other or (type(one) is type(other) and one == other) for one, other in pairs)
        if kept:
            for one, other in pairs:
                _merged(one, other)
            return old
    if _is_mutable(old, new):
        restore(old, new)
        return old
    return new


def _is_mutable(old, new) -> bool:
    """True for two containers of one kind that can be given new contents."""
    if isinstance(old, (list, dict, set, bytearray)):
        return isinstance(old, type(new))
    numpy = arrays.loaded_numpy()
    if numpy is None or not isinstance(old, numpy.ndarray) or not isinstance(new, numpy.ndarray):
        return False
    return old.shape == new.shape and old.dtype == new.dtype
