"""Exercise 222: a radix tree of cached prefixes."""


class RadixCache:
    """Which token prefixes are cached; edges carry runs of tokens."""

    def match(self, tokens: list[int]) -> int:
        """Length of the longest cached prefix of tokens; using it makes it recent."""
        raise NotImplementedError

    def insert(self, tokens: list[int]) -> int:
        """Cache all of tokens; returns how many were new."""
        raise NotImplementedError

    def lock(self, tokens: list[int]) -> None:
        """Protect a cached prefix from eviction. Raises ValueError when it is not cached in full."""
        raise NotImplementedError

    def unlock(self, tokens: list[int]) -> None:
        """End one lock. Raises ValueError when tokens is not locked to its end."""
        raise NotImplementedError

    def evict(self, count: int) -> int:
        """Remove unlocked leaves, least recently used first, until count tokens are gone; returns how many went."""
        raise NotImplementedError

    def size(self) -> int:
        """Cached tokens, a shared beginning counted once."""
        raise NotImplementedError
