"""The KV memory of one instance: what running requests hold, what a prefix cache keeps, and what is free."""

from collections import OrderedDict


class Pool:
    """Counts tokens of KV memory. At every moment free + used + idle = total.

    Blocks of prompts that have been computed are known by hash. A block in use by several requests counts once; a
    block that nobody uses any more is idle: it stays, least recently used first, until its room is needed.
    """

    def __init__(self, total: int, caching: bool):
        self.total = total
        self.used = 0
        """Tokens that running requests hold or have reserved, shared blocks once."""
        self.idle = 0
        """Tokens of cached blocks that no running request uses."""
        self._caching = caching
        self._users = {}  # hash -> [tokens, requests that use it]
        self._idle = OrderedDict()  # hash -> tokens, the next to evict first

    @property
    def free(self) -> int:
        """Tokens of memory that hold nothing."""
        return self.total - self.used - self.idle

    @property
    def available(self) -> int:
        """Tokens that can be taken: the free ones and, by eviction, the idle ones."""
        return self.total - self.used

    def take(self, tokens: int):
        """Takes private memory; the caller has looked at `available`. Idle blocks make room, oldest first."""
        self.used += tokens
        while self.used + self.idle > self.total:
            _, freed = self._idle.popitem(last=False)
            self.idle -= freed

    def give(self, tokens: int):
        """Gives private memory back."""
        self.used -= tokens

    def cached(self, hashes: tuple) -> tuple[int, int]:
        """How many leading hashes are present, and how many tokens of those blocks are idle now."""
        if not self._caching:
            return 0, 0
        count = idle = 0
        for key in hashes:
            if key in self._idle:
                idle += self._idle[key]
            elif key not in self._users:
                break
            count += 1
        return count, idle

    def hold(self, hashes: tuple):
        """Begins to use blocks that are present."""
        for key in hashes:
            tokens = self._idle.pop(key, None)
            if tokens is None:
                self._users[key][1] += 1
            else:
                self._users[key] = [tokens, 1]
                self.idle -= tokens
                self.used += tokens

    def publish(self, hashes: tuple, block: int) -> tuple:
        """Makes a request's private blocks known by hash, from now on used by it; those that became shared.

        A block that another request has published meanwhile stays private, as in vLLM.
        """
        if not self._caching:
            return ()
        shared = tuple(key for key in hashes if key not in self._users and key not in self._idle)
        for key in shared:
            self._users[key] = [block, 1]
        return shared

    def release(self, hashes: tuple):
        """Ends the use of shared blocks; the last ones of a prompt become the first to evict among them."""
        users, idle, moved = self._users, self._idle, 0
        for key in reversed(hashes):
            entry = users[key]
            entry[1] -= 1
            if not entry[1]:
                del users[key]
                idle[key] = entry[0]
                moved += entry[0]
        self.used -= moved
        self.idle += moved
