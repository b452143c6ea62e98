"""A radix tree without pointers: a node is the tuple of all tokens up to its end, and a dict holds the nodes.

The parent of a node is its longest proper prefix among the nodes, so a split only adds an entry.
"""

from dataclasses import dataclass, replace


@dataclass
class Node:
    """What is known of one node besides its path."""

    used: int
    locks: int = 0


class RadixCache:
    """Which token prefixes are cached."""

    def __init__(self):
        self._nodes = {}  # path from the root -> Node
        self._tick = 0

    def match(self, tokens: list[int]) -> int:
        """Length of the longest cached prefix of tokens; using it makes it recent."""
        return len(self._use(self._split(tokens)))

    def insert(self, tokens: list[int]) -> int:
        """Cache all of tokens; returns how many were new."""
        cached = self._split(tokens)
        if len(cached) < len(tokens):
            self._nodes[tuple(tokens)] = Node(used=0)
        self._use(tuple(tokens))
        return len(tokens) - len(cached)

    def lock(self, tokens: list[int]) -> None:
        """Protect a cached prefix from eviction. Raises ValueError when it is not cached in full."""
        cached = self._use(self._split(tokens))
        if len(cached) < len(tokens):
            raise ValueError(f"only {len(cached)} of {len(tokens)} tokens are cached")
        for node in self._path(cached):
            node.locks += 1

    def unlock(self, tokens: list[int]) -> None:
        """End one lock. Raises ValueError when tokens is not locked to its end."""
        cached = self._split(tokens)
        path = self._path(cached)
        if len(cached) < len(tokens) or any(node.locks == 0 for node in path):
            raise ValueError(f"these {len(tokens)} tokens are not locked to their end")
        for node in path:
            node.locks -= 1

    def evict(self, count: int) -> int:
        """Remove unlocked leaves, least recently used first, until count tokens are gone; returns how many went."""
        removed = 0
        while removed < count:
            leaves = [path for path in self._leaves() if self._nodes[path].locks == 0]
            if not leaves:
                break
            oldest = min(leaves, key=lambda path: self._nodes[path].used)
            removed += self._edge_length(oldest)
            del self._nodes[oldest]
        return removed

    def size(self) -> int:
        """Cached tokens, a shared beginning counted once."""
        return sum(self._edge_length(path) for path in self._nodes)

    def _split(self, tokens):
        """The longest cached prefix of tokens, as a tuple; makes it end at a node."""
        tokens = tuple(tokens)
        closest = max(self._nodes, key=lambda path: common_length(path, tokens), default=())
        cached = tokens[: common_length(closest, tokens)]
        if cached and cached not in self._nodes:
            lower = min((path for path in self._nodes if path[: len(cached)] == cached), key=len)
            self._nodes[cached] = replace(self._nodes[lower])
        return cached

    def _use(self, tokens):
        self._tick += 1
        for node in self._path(tokens):
            node.used = self._tick
        return tokens

    def _path(self, tokens):
        """The nodes from the root to the end of tokens; the root itself has none."""
        prefixes = (tokens[:end] for end in range(1, len(tokens) + 1))
        return [self._nodes[prefix] for prefix in prefixes if prefix in self._nodes]

    def _leaves(self):
        """Paths that no other path continues: in sorted order a continuation would come next."""
        ordered = sorted(self._nodes)
        following = ordered[1:] + [()]
        return [path for path, after in zip(ordered, following) if after[: len(path)] != path]

    def _edge_length(self, path):
        parents = (end for end in range(len(path) - 1, 0, -1) if path[:end] in self._nodes)
        return len(path) - next(parents, 0)


def common_length(a, b):
    """Length of the common prefix of two sequences."""
    for index, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return index
    return min(len(a), len(b))
