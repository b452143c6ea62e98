"""Forks with copy on write: each block knows the set of sequences that hold it, instead of a count."""

from collections import deque
from dataclasses import dataclass


@dataclass
class Sequence:
    """One sequence."""

    tokens: int
    blocks: list


class SequenceTable:
    """Block tables of sequences that share blocks until they write."""

    def __init__(self, num_blocks, block_size):
        self._block_size = block_size
        self._free = deque(range(num_blocks))
        self._holders = [set() for _ in range(num_blocks)]
        self._sequences = {}
        self._next_id = 0

    @property
    def num_free(self):
        """Length of the free queue."""
        return len(self._free)

    def add(self, num_tokens):
        """A new sequence of num_tokens tokens: its id, or None when blocks are missing."""
        needed = -(-num_tokens // self._block_size)
        if needed > self.num_free:
            return None
        seq = self._enter(Sequence(num_tokens, []))
        for _ in range(needed):
            self._sequences[seq].blocks.append(self._take(seq))
        return seq

    def fork(self, seq):
        """A new sequence that shares all blocks of seq: its id."""
        parent = self._find(seq)
        child = self._enter(Sequence(parent.tokens, list(parent.blocks)))
        for block in parent.blocks:
            self._holders[block].add(child)
        return child

    def append(self, seq):
        """Room for one more token: (block, offset, block to copy from or None), or None when no block is free."""
        sequence = self._find(seq)
        offset = sequence.tokens % self._block_size
        last = sequence.blocks[-1] if offset else None  # the block that has room, if any
        is_own = last is not None and self._holders[last] == {seq}
        if not is_own and not self._free:
            return None
        sequence.tokens += 1
        if is_own:
            return last, offset, None
        block = self._take(seq)
        if last is None:
            sequence.blocks.append(block)
        else:
            sequence.blocks[-1] = block
            self._let_go(seq, last)
        return block, offset, last

    def free(self, seq):
        """End a sequence and let go of its blocks, the last one first."""
        for block in reversed(self._find(seq).blocks):
            self._let_go(seq, block)
        del self._sequences[seq]

    def blocks(self, seq):
        """The sequence's table, a list of blocks."""
        return list(self._find(seq).blocks)

    def _find(self, seq):
        if seq not in self._sequences:
            raise ValueError(f"there is no sequence {seq}")
        return self._sequences[seq]

    def _enter(self, sequence):
        seq, self._next_id = self._next_id, self._next_id + 1
        self._sequences[seq] = sequence
        return seq

    def _take(self, seq):
        block = self._free.popleft()
        self._holders[block].add(seq)
        return block

    def _let_go(self, seq, block):
        self._holders[block].remove(seq)
        if not self._holders[block]:
            self._free.append(block)
