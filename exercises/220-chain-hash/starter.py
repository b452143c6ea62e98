"""Exercise 220: keys for prefix-cache blocks."""


def block_keys(tokens: list[int], block_size: int, *, model: str, lora: str = "", tenant: str = "") -> list[str]:
    """One key per full block, as 64 hex digits; each covers everything before it.

    tokens: whole numbers from 0 to 2**32 - 1. block_size: tokens per block, 1 or more.
    model, lora, tenant: what besides the tokens decides whether a block may be shared.
    Raises ValueError when block_size is below 1.
    """
    raise NotImplementedError


def cached_blocks(keys: list[str], cache: set[str]) -> int:
    """How many leading blocks of a request the cache holds."""
    raise NotImplementedError
