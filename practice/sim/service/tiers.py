"""Slower places behind the prefix caches: host memory of each replica, and a pool that all share."""

from collections import OrderedDict
from dataclasses import dataclass

from practice.sim.pool import Pool
from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True)
class Tiers:
    """Sizes and speeds; 0 tokens is off.

    Blocks that a replica evicts go to its host memory, and blocks that it computes are copied to the shared pool, both
    without cost. A request whose prefix is found there waits until it is loaded, and is not computed.
    """

    host_tokens: int = 0
    """KV tokens that the host memory of one replica keeps."""
    host_bandwidth: float = 25e9
    """Bytes/s from host memory to the GPU, one load after the other."""
    shared_tokens: int = 0
    """KV tokens of the shared pool."""
    shared_bandwidth: float = 12.5e9
    """Bytes/s from the shared pool to one replica, one load after the other."""

    def __post_init__(self):
        check_whole("host_tokens", self.host_tokens, least=0)
        check_whole("shared_tokens", self.shared_tokens, least=0)
        check_number("host_bandwidth", self.host_bandwidth, above=0)
        check_number("shared_bandwidth", self.shared_bandwidth, above=0)
        if not self.host_tokens and not self.shared_tokens:
            raise ValueError("tiers are given, but host_tokens and shared_tokens are both 0")


class Store:
    """Blocks by hash up to a number of tokens, the least recently used first to go."""

    def __init__(self, tokens: int):
        self._most, self._tokens, self._blocks = tokens, 0, OrderedDict()

    def __contains__(self, key):
        return key in self._blocks

    def put(self, key, tokens: int):
        """Keeps a block; the hashes of those that had to go for it."""
        if key in self._blocks:
            self._blocks.move_to_end(key)
            return ()
        self._blocks[key] = tokens
        self._tokens += tokens
        gone = []
        while self._tokens > self._most:
            old, freed = self._blocks.popitem(last=False)
            self._tokens -= freed
            gone.append(old)
        return gone

    def touch(self, key):
        """Marks a block as just used."""
        self._blocks.move_to_end(key)


class Directory:
    """Which replicas hold a block, on the GPU or in host memory, as bits of an int; what prefix-aware routers look up.

    A block counts from the moment a request with it is sent, so that the requests right behind it follow.
    """

    def __init__(self):
        self._holders = {}

    def add(self, keys, bit: int):
        """These blocks are, or will be, on the replica."""
        holders, known = self._holders, 0
        for key in keys:
            bits = holders.get(key)
            if bits is None:
                break
            known += 1
            if not bits & bit:
                holders[key] = bits | bit
        rest = keys[known:]
        if holders.keys().isdisjoint(rest):  # as a rule: nobody has gone on from there in the same way
            holders.update(dict.fromkeys(rest, bit))
        else:
            for key in rest:
                holders[key] = holders.get(key, 0) | bit

    def drop(self, keys, bit: int):
        """These blocks have left the replica."""
        holders = self._holders
        for key in keys:
            left = holders.pop(key, 0) & ~bit
            if left:
                holders[key] = left

    def longest(self, keys, among: int) -> tuple[int, int]:
        """(how many leading blocks, bits of those replicas `among` which hold that many)."""
        holders, count = self._holders, 0
        for key in keys:
            left = holders.get(key, 0) & among
            if not left:
                break
            among = left
            count += 1
        return count, among


class TieredPool(Pool):
    """A replica's KV memory that tells routers what it knows; what it evicts goes to host memory, and copies to the shared pool."""

    def __init__(self, total: int, directory: Directory, bit: int, host: Store | None, shared: Store | None):
        super().__init__(total, True)
        self._directory, self._bit = directory, bit
        self.host, self.shared = host, shared
        self.host_free = self.shared_free = 0.0
        """When the links are free."""
        self._present = set()  # with host memory: hashes of the blocks here

    def _evict(self, most):
        chain, size = super()._evict(most)
        gone = chain.keys[chain.size:size]
        if self.host is None:
            self._directory.drop(gone, self._bit)
        else:
            for key in reversed(gone):
                self._present.discard(key)
                self._directory.drop([old for old in self.host.put(key, self.block) if old not in self._present], self._bit)
        return chain, size

    def _enter(self, keys):
        self._directory.add(keys, self._bit)
        if self.host is not None:
            self._present.update(keys)
        if self.shared is not None:
            for key in keys:
                self.shared.put(key, self.block)


def load_prefix(pool: TieredPool, tiers: Tiers, request, now: float, kv_bytes: float, seconds_per_token: float) -> tuple[int, int, float]:
    """(leading prompt tokens that will be there without computing, how many of them are loaded, when), starting the loads.

    Blocks are looked up in order: on the GPU, in host memory, in the shared pool, up to the first that is nowhere. A load
    that would end later than computing its tokens takes (at seconds_per_token) is left.
    """
    keys = request.hashes[:request.input_len // request.hash_block]
    present = pool.cached(keys)[0]
    place = present
    from_host = from_shared = 0
    for key in keys[present:]:
        if pool.host is not None and key in pool.host:
            from_host += request.hash_block
        elif pool.shared is not None and key in pool.shared:
            from_shared += request.hash_block
        else:
            break
        place += 1
    host_end = max(now, pool.host_free) + from_host * kv_bytes / tiers.host_bandwidth if from_host else now
    shared_end = max(now, pool.shared_free) + from_shared * kv_bytes / tiers.shared_bandwidth if from_shared else now
    ready = max(host_end, shared_end)
    if place == present or ready - now > (place - present) * request.hash_block * seconds_per_token:
        return 0, 0, now
    for key in keys[present:place]:
        store = pool.host if pool.host is not None and key in pool.host else pool.shared
        store.touch(key)
    if from_host:
        pool.host_free = host_end
    if from_shared:
        pool.shared_free = shared_end
    return place * request.hash_block, (place - present) * request.hash_block, ready
