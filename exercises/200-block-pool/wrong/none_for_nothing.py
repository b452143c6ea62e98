"""Refuses whenever the queue is empty."""

from collections import deque


class BlockPool:
    def __init__(self, num_blocks):
        self.refs = {block: 0 for block in range(num_blocks)}
        self.free = deque(range(num_blocks))

    @property
    def num_free(self):
        return len(self.free)

    def ref_count(self, block):
        if block not in self.refs:
            raise ValueError("unknown block")
        return self.refs[block]

    def allocate(self, count):
        if not self.free or count > len(self.free):
            return None
        blocks = []
        while len(blocks) < count:
            block = self.free.popleft()
            self.refs[block] = 1
            blocks.append(block)
        return blocks

    def share(self, blocks):
        for block in blocks:
            if self.ref_count(block) == 0:
                raise ValueError("block is free")
        for block in blocks:
            self.refs[block] += 1

    def release(self, blocks):
        for block in blocks:
            if self.ref_count(block) < blocks.count(block):
                raise ValueError("released too often")
        for block in blocks:
            self.refs[block] -= 1
            if self.refs[block] == 0:
                self.free.append(block)
