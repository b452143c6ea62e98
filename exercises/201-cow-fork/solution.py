"""Exercise 201: forks of sequences, with copy on write."""

from collections import deque
from dataclasses import dataclass


@dataclass
class Sequence:
    """One sequence: how many tokens it has, and where they are."""

    num_tokens: int
    blocks: list


class SequenceTable:
    """Block tables of sequences that share blocks until they write."""

    def __init__(self, num_blocks, block_size):
        self._block_size = block_size
        self._free = deque(range(num_blocks))
        self._refs = [0] * num_blocks  # tables that hold this block
        self._sequences = {}
        self._next_id = 0

    @property
    def num_free(self):
        """Blocks in no table."""
        return len(self._free)

    def add(self, num_tokens):
        """A new sequence of num_tokens tokens, or None when blocks are missing."""
        needed = -(-num_tokens // self._block_size)  # rounded up: the last block may be partly filled
        if needed > len(self._free):
            return None
        return self._enter(Sequence(num_tokens, [self._take() for _ in range(needed)]))

    def fork(self, seq):
        """A new sequence that shares all blocks of seq."""
        parent = self._find(seq)
        for block in parent.blocks:
            self._refs[block] += 1
        return self._enter(Sequence(parent.num_tokens, list(parent.blocks)))

    def append(self, seq):
        """Room for one more token: (block, offset, block to copy from or None), or None when no block is free."""
        sequence = self._find(seq)
        offset = sequence.num_tokens % self._block_size
        is_full = offset == 0  # also where there is no block yet
        # A full block is never written again, so being shared is no reason to copy it.
        must_copy = not is_full and self._refs[sequence.blocks[-1]] > 1
        if (is_full or must_copy) and not self._free:
            return None  # before the first change
        copied_from = None
        if must_copy:
            copied_from = sequence.blocks.pop()
            self._refs[copied_from] -= 1  # others hold it, so it does not become free
        if is_full or must_copy:
            sequence.blocks.append(self._take())
        sequence.num_tokens += 1
        return sequence.blocks[-1], offset, copied_from

    def free(self, seq):
        """End a sequence and let go of its blocks, the last one first."""
        sequence = self._find(seq)
        del self._sequences[seq]
        for block in reversed(sequence.blocks):
            self._refs[block] -= 1
            if self._refs[block] == 0:
                self._free.append(block)

    def blocks(self, seq):
        """The sequence's table."""
        return list(self._find(seq).blocks)

    def _find(self, seq):
        """The sequence with this id."""
        if seq not in self._sequences:
            raise ValueError(f"there is no sequence {seq}")
        return self._sequences[seq]

    def _enter(self, sequence):
        """Give a sequence the next id."""
        self._sequences[self._next_id] = sequence
        self._next_id += 1
        return self._next_id - 1

    def _take(self):
        """The first free block, now in one table."""
        block = self._free.popleft()
        self._refs[block] = 1
        return block
