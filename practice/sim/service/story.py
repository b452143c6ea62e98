"""What has to be remembered of a request that one replica alone does not finish."""


class Story:
    """Retries, and the tokens that the client has got and keeps."""

    __slots__ = ("cached", "current", "earlier", "ended", "loaded", "prefix", "retries", "scheduled")

    def __init__(self):
        self.retries = 0
        self.earlier = ()  # times of the tokens that are kept from earlier attempts
        self.scheduled = None  # when the attempt was admitted that gave the first of them
        self.cached = 0  # prompt tokens that this attempt found in the prefix cache
        self.loaded = 0  # prompt tokens that came to it from slower tiers
        self.prefix = 0  # leading prompt tokens that are certain to be there for the present attempt, loaded or not
        self.current = None  # with PD disaggregation: what is left to do, as sent to prefill
        self.ended = None  # (replica, engine's number), where prefill gave the only token

    def keep(self, instance, index: int, times: tuple):
        """The client keeps the tokens that came at these times."""
        if times and not self.earlier:
            self.scheduled = instance.engine.scheduled[index]
            self.cached = instance.engine.record(index).cached_tokens
            self.loaded = self.fetched(self.cached)
        self.earlier += times
        self.prefix = 0

    def fetched(self, cached: int) -> int:
        """Prompt tokens of the present attempt that came from slower tiers, where the replica's own cache held `cached`."""
        return max(0, self.prefix - cached)

    def drop(self):
        """The client starts again."""
        self.earlier, self.scheduled, self.cached, self.loaded, self.prefix = (), None, 0, 0, 0
