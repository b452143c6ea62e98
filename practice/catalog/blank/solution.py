# TODO The answer we would be glad to see on a whiteboard, commented for reading.


def blocks_needed(tokens: int, block_size: int) -> int:
    """Blocks of `block_size` tokens that `tokens` tokens occupy."""
    # Whole-number arithmetic: ceil of a float is wrong above 2**53 tokens.
    return (tokens + block_size - 1) // block_size
