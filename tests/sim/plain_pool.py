"""The prefix cache block by block: the users of each block counted, the idle ones in one queue. The oracle of practice.sim.pool.

Shares no code with it; where the engine keeps what a request uses, this keeps the hashes themselves.
"""

from collections import OrderedDict


class PlainPool:
    """As practice.sim.pool.Pool, one block at a time."""

    def __init__(self, total, caching=True):
        self.total, self.caching, self.used, self.idle, self.block = total, caching, 0, 0, 0
        self.users = {}  # hash -> requests that use it
        self.queue = OrderedDict()  # idle hashes, the next to evict first

    @property
    def available(self):
        return self.total - self.used

    def take(self, tokens):
        self.used += tokens
        while self.used + self.idle > self.total:
            key, _ = self.queue.popitem(last=False)
            self.idle -= self.block
            self.evicted(key)

    def evicted(self, key):
        pass

    def give(self, tokens):
        self.used -= tokens

    def cached(self, hashes):
        found, resting = {}, 0
        for key in hashes:
            if key not in self.users and key not in self.queue:
                break
            resting += key in self.queue
            found[key] = None
        return len(found), resting * self.block, found

    def hold(self, use):
        for key in use:
            if key in self.queue:
                del self.queue[key]
                self.users[key] = 0
                self.idle -= self.block
                self.used += self.block
            self.users[key] += 1

    def publish(self, hashes, use):
        new = [key for key in hashes if self.caching and key not in self.users and key not in self.queue]
        self.users.update(dict.fromkeys(new, 1))
        use.update(dict.fromkeys(new))
        return len(new)

    def release(self, use):
        for key in reversed(use):
            self.users[key] -= 1
            if not self.users[key]:
                del self.users[key]
                self.queue[key] = None
                self.used -= self.block
                self.idle += self.block


class PlainTieredPool(PlainPool):
    """As practice.sim.service.tiers.TieredPool; `holders` is the directory, hash -> bits of replicas."""

    def __init__(self, total, holders, bit, host, shared):
        super().__init__(total)
        self.holders, self.bit, self.host, self.shared = holders, bit, host, shared

    def evicted(self, key):
        for old in [key] if self.host is None else self.host.put(key, self.block):
            if old not in self.users and old not in self.queue:
                self.holders[old] &= ~self.bit

    def publish(self, hashes, use):
        new = [key for key in hashes if self.caching and key not in self.users and key not in self.queue]
        count = super().publish(hashes, use)
        for key in new:
            self.holders[key] = self.holders.get(key, 0) | self.bit
            if self.shared is not None:
                self.shared.put(key, self.block)
        return count
