"""A router with an inverted index: for each key the replicas that hold it, so one walk over the keys serves all."""

from collections import OrderedDict, defaultdict


class Router:
    """Sends each request to the replica whose cached blocks outweigh its queue."""

    def __init__(self, replicas: int, capacity: int, load_cost: int):
        self._capacity = capacity
        self._load_cost = load_cost
        self._outstanding = [0] * replicas
        self._recency = [OrderedDict() for _ in range(replicas)]  # least recently used key first
        self._holders = defaultdict(set)

    def route(self, keys: list[str]) -> int:
        """The number of the replica that gets a request with these block keys; remembers it."""
        cached = self._cached(keys)

        def preference(replica):
            outstanding = self._outstanding[replica]
            return cached[replica] - self._load_cost * outstanding, -outstanding, -replica

        chosen = max(range(len(self._outstanding)), key=preference)
        self._outstanding[chosen] += 1
        self._remember(chosen, keys)
        return chosen

    def finish(self, replica: int) -> None:
        """One outstanding request of this replica has ended."""
        if replica not in range(len(self._outstanding)) or self._outstanding[replica] == 0:
            raise ValueError(f"replica {replica} has nothing outstanding")
        self._outstanding[replica] -= 1

    def _cached(self, keys):
        """Leading keys that each replica holds: a replica drops out at its first missing one."""
        counts = [0] * len(self._outstanding)
        still = set(range(len(counts)))
        for key in keys:
            still &= self._holders.get(key, set())
            if not still:
                break
            for replica in still:
                counts[replica] += 1
        return counts

    def _remember(self, replica, keys):
        recency = self._recency[replica]
        for key in reversed(keys):
            recency[key] = None
            recency.move_to_end(key)
            self._holders[key].add(replica)
        while len(recency) > self._capacity:
            evicted, _ = recency.popitem(last=False)
            self._holders[evicted].remove(replica)
