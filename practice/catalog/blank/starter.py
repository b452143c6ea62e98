def blocks_needed(tokens: int, block_size: int) -> int:
    """Blocks of `block_size` tokens that `tokens` tokens occupy."""
    raise NotImplementedError
