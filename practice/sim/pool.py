"""The KV memory of one instance: what running requests hold, what a prefix cache keeps, and what is free.

A hash is over all tokens up to the end of its block, so two prompts with the same hash are the same up to there. That is
why nothing is counted block by block: blocks that stand in a row are one Chain, a request uses a chain from its start to
some depth, and what becomes idle together is one entry in the order of eviction. The results are those of counting the
users and the age of every block.
"""

from collections import OrderedDict
from itertools import count


class Chain:
    """Cached blocks in a row."""

    __slots__ = ("depths", "idle", "keys", "size", "used")

    def __init__(self, keys: tuple):
        self.keys = keys  # hashes, of which keys[:size] are present
        self.size = self.used = len(keys)  # of the blocks that are present the first `used` are in use, the others idle
        self.depths = {self.size: 1}  # depth -> requests that use so many blocks; `used` is the largest
        self.idle = {}  # the idle ones by when they became so: first block -> age, from the end of the chain, so the oldest first

    def in_common(self, hashes: tuple, place: int, depth: int = 0) -> int:
        """How many blocks of the chain, from its block `depth` on, are those of a prompt from its block `place` on."""
        keys, ahead = self.keys, place - depth
        low, high = depth, min(self.size, len(hashes) - ahead)
        if keys[high - 1] == hashes[ahead + high - 1]:
            return high - depth
        while high - low > 1:  # they are the same before `low`, and not before `high`: halving finds where they part
            middle = (low + high) // 2
            if keys[middle - 1] == hashes[ahead + middle - 1]:
                low = middle
            else:
                high = middle
        return low - depth

    def extend(self, keys: tuple):
        """Puts blocks behind the last one, which one of its users now uses as well. None may be idle."""
        users = self.depths.pop(self.size) - 1
        if users:
            self.depths[self.size] = users
        self.keys = self.keys[:self.size] + keys
        self.size = self.used = len(self.keys)
        self.depths[self.size] = 1


class Pool:
    """Counts tokens of KV memory. At every moment free + used + idle = total.

    Blocks of prompts that have been computed are known by hash. A block in use by several requests counts once; a
    block that nobody uses any more is idle: it stays, least recently used first, until its room is needed.
    What a request uses of them is a dict Chain -> depth, in the order of the prompt.
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
        self._chains = {}  # hash of a chain's first block -> Chain
        self._ages = OrderedDict()  # age of idle blocks -> their Chain, the next to evict first
        self._clock = count()

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
            self._evict(-(-(self.used + self.idle - self.total) // self.block))

    def _evict(self, most):
        """Forgets at most so many of the blocks that have been idle longest, the last one of their chain first."""
        age, chain = next(iter(self._ages.items()))
        low, size = next(iter(chain.idle)), chain.size
        if size - low <= most:
            most = size - low
            del self._ages[age], chain.idle[low]
            if low == 0:
                del self._chains[chain.keys[0]]
        self.idle -= most * self.block
        chain.size = size - most
        return chain, size

    def give(self, tokens: int):
        """Gives private memory back."""
        self.used -= tokens

    def cached(self, hashes: tuple) -> tuple[int, int, dict]:
        """How many leading hashes are present, how many tokens of those blocks are idle now, and what to `hold` to use them."""
        chains, use = self._chains, {}
        place = resting = 0
        while place < len(hashes):
            chain = chains.get(hashes[place])
            if chain is None:
                break
            use[chain] = depth = chain.in_common(hashes, place)
            place += depth
            if depth > chain.used:
                resting += depth - chain.used
        return place, resting * self.block, use

    def hold(self, use: dict):
        """Begins to use blocks that are present."""
        moved = 0
        for chain, depth in use.items():
            depths = chain.depths
            depths[depth] = depths.get(depth, 0) + 1
            if depth > chain.used:
                moved += depth - chain.used
                chain.used = depth
                idle = chain.idle
                while idle:
                    _, age = idle.popitem()
                    if next(reversed(idle), chain.size) > depth:  # these end behind `depth`, and stay idle from there on
                        idle[depth] = age
                        break
                    del self._ages[age]
        self.idle -= moved * self.block
        self.used += moved * self.block

    def publish(self, hashes: tuple, use: dict) -> int:
        """Makes private blocks of a request, those behind what it uses, known by hash; from now on it uses them as well.

        Gives how many became shared. A block that another request has published meanwhile stays private, as in vLLM.
        """
        if not hashes or not self._caching:
            return 0
        is_new = self._chains.keys().isdisjoint(hashes)
        known = 0
        if use:
            last, depth = next(reversed(use.items()))
            if depth < last.size:
                known = last.in_common(hashes, 0, depth)
            elif is_new:
                last.extend(hashes)
                use[last] = last.size
                self._enter(hashes)
                return len(hashes)
        published = 0
        for keys in (hashes[known:],) if is_new else self._unknown(hashes, known):
            if keys:
                self._chains[keys[0]] = chain = Chain(keys)
                use[chain] = chain.size
                published += chain.size
                self._enter(keys)
        return published

    def _unknown(self, hashes, place):
        """The rows of blocks from `place` on that are not present."""
        start = place
        while place < len(hashes):
            chain = self._chains.get(hashes[place])
            if chain is None:
                place += 1
                continue
            yield hashes[start:place]
            start = place = place + chain.in_common(hashes, place)
        yield hashes[start:]

    def _enter(self, keys):
        """Blocks have become known."""

    def release(self, use: dict):
        """Ends the use of shared blocks; the last ones of a prompt become the first to evict among them."""
        moved = 0
        for chain, depth in reversed(use.items()):
            depths = chain.depths
            users = depths.pop(depth) - 1
            if users:
                depths[depth] = users
            elif depth == chain.used:
                chain.used = max(depths) if depths else 0
                moved += depth - chain.used
                age = next(self._clock)
                chain.idle[chain.used] = age
                self._ages[age] = chain
        self.used -= moved * self.block
        self.idle += moved * self.block
