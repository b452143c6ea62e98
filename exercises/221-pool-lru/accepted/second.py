"""A block pool whose free queue is the LRU; contents are interned as numbers, and each number has at most one block that is found."""

from dataclasses import dataclass
from itertools import takewhile

ROOT = 0  # the content before the first block


@dataclass
class Block:
    """One pool block."""

    users: int = 0
    content: int | None = None  # only where a look-up finds this block


class PrefixPool:
    """KV blocks shared by content; blocks without users wait in the free queue and can still be hit."""

    def __init__(self, num_blocks: int, block_size: int):
        self._size = block_size
        self._pool = [Block() for _ in range(num_blocks)]
        self._queue = dict.fromkeys(range(num_blocks))  # a dict keeps its order and forgets any entry quickly
        self._content_ids = {}  # (content before, tokens of the block) -> number of the content
        self._found = {}  # number of a content -> the block that a look-up hits
        self._running = {}

    def admit(self, name: str, tokens: list[int]) -> int | None:
        """Give the request its blocks; returns the tokens served from the cache, or None when it does not fit."""
        if name in self._running:
            raise ValueError(f"{name} runs already")
        contents = self._contents(tokens)
        hits = self._hits(contents[: (len(tokens) - 1) // self._size])
        missing = -(-len(tokens) // self._size) - len(hits)
        if missing > len(self._queue) - sum(block in self._queue for block in hits):
            return None
        for block in hits:
            self._queue.pop(block, None)
        fresh = [self._take() for _ in range(missing)]
        for block, content in zip(fresh, contents[len(hits) :]):
            if content not in self._found:  # a second copy is never found
                self._found[content] = block
                self._pool[block].content = content
        self._running[name] = hits + fresh
        for block in self._running[name]:
            self._pool[block].users += 1
        return len(hits) * self._size

    def blocks(self, name: str) -> list[int]:
        """The request's block ids in the order of its tokens. Raises KeyError when it does not run."""
        return list(self._running[name])

    def release(self, name: str) -> None:
        """End the request; its blocks without other users join the queue, last block first."""
        for block in reversed(self._running.pop(name)):
            self._pool[block].users -= 1
            if self._pool[block].users == 0:
                self._queue[block] = None

    def free_count(self) -> int:
        """How many blocks are in the free queue."""
        return len(self._queue)

    def _contents(self, tokens):
        """The number of each full block's content; equal numbers mean equal tokens after equal tokens."""
        numbers, before = [], ROOT
        for start in range(0, len(tokens) - self._size + 1, self._size):
            key = (before, tuple(tokens[start : start + self._size]))
            before = self._content_ids.setdefault(key, len(self._content_ids) + 1)
            numbers.append(before)
        return numbers

    def _hits(self, contents):
        return [self._found[content] for content in takewhile(self._found.__contains__, contents)]

    def _take(self):
        """Take the block at the front of the queue; its old content is lost."""
        block = next(iter(self._queue))
        del self._queue[block]
        if self._pool[block].content is not None:
            del self._found[self._pool[block].content]
            self._pool[block].content = None
        return block
