"""Exercise 221: a block pool whose free queue is the LRU."""


class PrefixPool:
    """KV blocks shared by content; blocks without users wait in the free queue and can still be hit."""

    def __init__(self, num_blocks: int, block_size: int):
        """num_blocks: blocks in the pool, ids 0 to num_blocks - 1; block_size: tokens per block."""
        raise NotImplementedError

    def admit(self, name: str, tokens: list[int]) -> int | None:
        """Give the request its blocks; returns the tokens served from the cache, or None when it does not fit.

        Raises ValueError when `name` runs already.
        """
        raise NotImplementedError

    def blocks(self, name: str) -> list[int]:
        """The request's block ids in the order of its tokens. Raises KeyError when it does not run."""
        raise NotImplementedError

    def release(self, name: str) -> None:
        """End the request; its blocks without other users go to the end of the free queue, last block first.

        Raises KeyError when it does not run.
        """
        raise NotImplementedError

    def free_count(self) -> int:
        """How many blocks are in the free queue."""
        raise NotImplementedError
