"""Exercise 200: a pool of reference-counted blocks."""


class BlockPool:
    """Equal blocks, numbered from 0, each free or referenced by one or more owners."""

    def __init__(self, num_blocks):
        """All blocks are free; the free queue is 0, 1, 2, ..., num_blocks - 1."""
        self.num_free = 0  # number of blocks without a reference: keep it right, or make it a property

    def ref_count(self, block):
        """References to this block. Raises ValueError when there is no such block."""
        raise NotImplementedError

    def allocate(self, count):
        """Take count blocks from the front of the free queue.

        Returns their list, each with one reference, or None (and changes nothing) when fewer are free.
        """
        raise NotImplementedError

    def share(self, blocks):
        """Give each listed block one more reference.

        Raises ValueError, and changes nothing, when one does not exist or is free.
        """
        raise NotImplementedError

    def release(self, blocks):
        """Take one reference from each listed block; those without one join the back of the free queue.

        Raises ValueError, and changes nothing, when one does not exist or is named more often than it is referenced.
        """
        raise NotImplementedError
