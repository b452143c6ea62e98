def double(x: int) -> int:
    """The double of x."""
    raise NotImplementedError
