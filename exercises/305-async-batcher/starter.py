"""Exercise 305: an asyncio batcher in front of one GPU."""

import asyncio


class Batcher:
    """Collects items of many callers into batches for one GPU."""

    def __init__(self, process, max_size, max_wait):
        """process: coroutine function, list of items -> list of as many results; an Exception in it is one item's failure.

        max_size: most items in a batch, 1 or more.
        max_wait: seconds after which the item that waits longest makes a batch start, if the GPU is idle.
        """

    async def submit(self, item):
        """Wait for a batch with this item, and return this item's result or raise its exception."""
        raise NotImplementedError
