"""Exercise 201: forks of sequences, with copy on write."""


class SequenceTable:
    """Block tables of sequences that share blocks until they write."""

    def __init__(self, num_blocks, block_size):
        """All blocks are free. block_size: tokens of one block."""
        self.num_free = 0  # number of free blocks: keep it right, or make it a property

    def add(self, num_tokens):
        """A new sequence of num_tokens tokens: its id, or None (and nothing changes) when blocks are missing."""
        raise NotImplementedError

    def fork(self, seq):
        """A new sequence that shares all blocks of seq: its id."""
        raise NotImplementedError

    def append(self, seq):
        """Room for one more token: (block, offset, block to copy from or None), or None when no block is free."""
        raise NotImplementedError

    def free(self, seq):
        """End a sequence and let go of its blocks, the last one first."""
        raise NotImplementedError

    def blocks(self, seq):
        """The sequence's table, a list of blocks."""
        raise NotImplementedError
