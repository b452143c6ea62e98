"""Exercise 302: preemption by recomputation."""


class Engine:
    """Running and waiting sequences over a pool of KV blocks; blocks are taken as tokens are computed."""

    def __init__(self, num_blocks: int, block_size: int):
        """num_blocks: blocks in the pool; block_size: tokens per block; both 1 or more."""
        raise NotImplementedError

    def add(self, name: str, prompt: int, output: int, priority: int = 0) -> None:
        """Put a request at the tail of the queue; a larger priority number is less important.

        Raises ValueError for a known name, a prompt or output below 1, and a request that can never finish in this pool.
        """
        raise NotImplementedError

    def step(self) -> dict:
        """Run one step: grow, admit, finish. Returns {"emitted": [...], "preempted": [...], "finished": [...]}."""
        raise NotImplementedError

    def state(self, name: str) -> dict:
        """{"status", "computed", "generated", "blocks"} of a request. Raises KeyError for an unknown name."""
        raise NotImplementedError
