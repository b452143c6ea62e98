"""A pool of reference-counted blocks: a counter for the blocks never used yet, a queue for those that came back."""

from collections import Counter, deque


class BlockPool:
    """Equal blocks, numbered from 0, each free or referenced by one or more owners."""

    def __init__(self, num_blocks):
        self._num_blocks = num_blocks
        self._fresh = 0  # blocks from here on were never used; they stand before all returned ones
        self._returned = deque()
        self._references = {}  # only blocks in use

    @property
    def num_free(self):
        """Blocks without a reference."""
        return self._num_blocks - len(self._references)

    def ref_count(self, block):
        """References to this block. Raises ValueError when there is no such block."""
        if not 0 <= block < self._num_blocks:
            raise ValueError(f"there is no block {block}, only 0 to {self._num_blocks - 1}")
        return self._references.get(block, 0)

    def allocate(self, count):
        """Take count blocks from the front of the free queue, or return None when fewer are free."""
        if count > self.num_free:
            return None
        taken = [self._take() for _ in range(count)]
        self._references.update(dict.fromkeys(taken, 1))
        return taken

    def _take(self):
        if self._fresh == self._num_blocks:
            return self._returned.popleft()
        self._fresh += 1
        return self._fresh - 1

    def share(self, blocks):
        """Give each listed block one more reference; ValueError when one does not exist or is free."""
        for block in blocks:
            if self.ref_count(block) == 0:
                raise ValueError(f"block {block} is free and cannot be shared")
        for block in blocks:
            self._references[block] += 1

    def release(self, blocks):
        """Take one reference for each mention; ValueError when a block has fewer than it is mentioned."""
        for block, mentions in Counter(blocks).items():
            if mentions > self.ref_count(block):
                raise ValueError(f"block {block} is released {mentions} times, it has {self.ref_count(block)} references")
        for block in blocks:
            self._references[block] -= 1
            if self._references[block] == 0:
                del self._references[block]
                self._returned.append(block)
