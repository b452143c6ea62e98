def triple(x: int) -> int:
    """The triple of x."""
    raise NotImplementedError
