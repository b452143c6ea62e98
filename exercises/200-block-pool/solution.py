"""Exercise 200: a pool of reference-counted blocks."""

from collections import Counter, deque


class BlockPool:
    """Equal blocks, numbered from 0, each free or referenced by one or more owners."""

    def __init__(self, num_blocks):
        self._refs = [0] * num_blocks
        # A deque: taking from the front of a list moves all the others, 200,000 pointers per block.
        self._free = deque(range(num_blocks))

    @property
    def num_free(self):
        """Blocks without a reference."""
        return len(self._free)

    def ref_count(self, block):
        """References to this block."""
        if not 0 <= block < len(self._refs):  # a negative index would quietly count from the end
            raise ValueError(f"there is no block {block}, only 0 to {len(self._refs) - 1}")
        return self._refs[block]

    def allocate(self, count):
        """Take count blocks from the front of the free queue, or None when fewer are free."""
        if count > len(self._free):  # asked before the first block is taken, so a refusal changes nothing
            return None
        blocks = [self._free.popleft() for _ in range(count)]
        for block in blocks:
            self._refs[block] = 1
        return blocks

    def share(self, blocks):
        """Give each listed block one more reference."""
        for block in blocks:
            if self.ref_count(block) == 0:
                raise ValueError(f"block {block} is free and cannot be shared")
        for block in blocks:
            self._refs[block] += 1

    def release(self, blocks):
        """Take one reference from each listed block; those without one join the back of the free queue."""
        # All mentions are counted before anything changes: [3, 3] is a double release if block 3 has one owner.
        for block, mentions in Counter(blocks).items():
            if mentions > self.ref_count(block):
                raise ValueError(f"block {block} has {self._refs[block]} references, fewer than the {mentions} to release")
        for block in blocks:
            self._refs[block] -= 1
            if self._refs[block] == 0:
                self._free.append(block)
