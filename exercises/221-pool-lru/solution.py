"""A block pool whose free queue is the LRU.

One ordered dict serves as the queue: O(1) at both ends and O(1) removal from the middle, which a hit on a free block needs. (An engine uses a doubly linked list
through the block objects for the same reason.)

The content of a block is named by the prefix it ends: a tuple of tokens here, a hash chain in an engine (exercise 220).
"""

from collections import OrderedDict


class PrefixPool:
    """KV blocks shared by content; blocks without users wait in the free queue and can still be hit."""

    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free = OrderedDict.fromkeys(range(num_blocks))  # front: next to be handed out
        self.users = [0] * num_blocks
        self.content = [None] * num_blocks  # the prefix a full block ends, or None
        self.found = {}  # prefix -> block
        self.running = {}  # name -> block ids

    def admit(self, name, tokens):
        if name in self.running:
            raise ValueError(f"{name!r} is running already")
        prefixes = [tuple(tokens[:end]) for end in range(self.block_size, len(tokens) + 1, self.block_size)]
        hits = []
        for prefix in prefixes[: (len(tokens) - 1) // self.block_size]:  # never the last token
            if prefix not in self.found:
                break
            hits.append(self.found[prefix])

        missing = -(-len(tokens) // self.block_size) - len(hits)
        # Hit blocks that are free now will leave the queue: they are not room. Nothing has changed yet, so refusing is free.
        if missing > len(self.free) - sum(block in self.free for block in hits):
            return None

        for block in hits:
            self.free.pop(block, None)
        fresh = [self.free.popitem(last=False)[0] for _ in range(missing)]
        for block in fresh:
            self.forget(block)
        self.running[name] = hits + fresh
        for block in self.running[name]:
            self.users[block] += 1
        for prefix, block in zip(prefixes[len(hits) :], fresh):  # a last block that is not full has no prefix
            if prefix not in self.found:
                self.found[prefix], self.content[block] = block, prefix
        return len(hits) * self.block_size

    def forget(self, block):
        """The block is handed out: what it held can no longer be found."""
        if self.content[block] is not None:
            del self.found[self.content[block]]
            self.content[block] = None

    def blocks(self, name):
        return list(self.running[name])

    def release(self, name):
        for block in reversed(self.running.pop(name)):
            self.users[block] -= 1
            if self.users[block] == 0:
                self.free[block] = None  # to the end of the queue, with its content

    def free_count(self):
        return len(self.free)
