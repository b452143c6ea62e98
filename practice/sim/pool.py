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
        self.block = 0
        """Tokens of a cached block, the same for all; 0 before the first is known."""
        self._caching = caching
        self._users = {}  # hash -> requests that use it
        self._idle = OrderedDict()  # hash -> None, the next to evict first

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
            self._idle.popitem(last=False)
            self.idle -= self.block

    def give(self, tokens: int):
        """Gives private memory back."""
        self.used -= tokens

    def cached(self, hashes: tuple) -> tuple[int, int]:
        """How many leading hashes are present, and how many tokens of those blocks are idle now."""
        users, idle = self._users, self._idle
        count = resting = 0
        for key in hashes if self._caching else ():
            if key in idle:
                resting += 1
            elif key not in users:
                break
            count += 1
        return count, resting * self.block

    def hold(self, hashes: tuple):
        """Begins to use blocks that are present."""
        users, idle, moved = self._users, self._idle, 0
        for key in hashes:
            if key in users:
                users[key] += 1
            else:
                del idle[key]
                users[key] = 1
                moved += self.block
        self.idle -= moved
        self.used += moved

    def publish(self, hashes: tuple) -> tuple:
        """Makes a request's private blocks known by hash, from now on used by it; those that became shared.

        A block that another request has published meanwhile stays private, as in vLLM.
        """
        if not self._caching:
            return ()
        users, idle, shared = self._users, self._idle, []
        for key in hashes:
            if key not in users and key not in idle:
                users[key] = 1
                shared.append(key)
        return tuple(shared)

    def release(self, hashes: tuple):
        """Ends the use of shared blocks; the last ones of a prompt become the first to evict among them."""
        users, idle, moved = self._users, self._idle, 0
        for key in reversed(hashes):
            count = users[key]
            if count > 1:
                users[key] = count - 1
            else:
                del users[key]
                idle[key] = None
                moved += self.block
        self.used -= moved
        self.idle += moved
