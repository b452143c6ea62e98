"""Which LoRA adapters are on the GPU: a dict in the order of last use, from adapter to running requests."""


class Residency:
    """Admission of requests with adapters, of which a few fit on the GPU."""

    def __init__(self, slots: int, max_batch: int):
        self._slots = slots
        self._max_batch = max_batch
        self._names = set()
        self._queue = {}  # request -> adapter, head first
        self._running = {}  # request -> adapter
        self._users = {}  # resident adapter -> running requests, last used the longest ago first
        self._loads = 0

    def submit(self, request: str, adapter: str) -> None:
        """Queue a request; adapter "" is the base model. Raises ValueError for a name that was submitted before."""
        if request in self._names:
            raise ValueError(f"{request} was submitted before")
        self._names.add(request)
        self._queue[request] = adapter

    def admit(self) -> list[str]:
        """Walk the queue once and admit whoever can run; returns them in order."""
        admitted = []
        for request, adapter in list(self._queue.items()):
            if len(self._running) == self._max_batch:
                break
            if adapter and not self._make_resident(adapter):
                continue
            self._running[request] = self._queue.pop(request)
            self._use(adapter, +1)
            admitted.append(request)
        return admitted

    def finish(self, request: str) -> None:
        """A running request has ended. Raises KeyError if it is not running."""
        self._use(self._running.pop(request), -1)

    def resident(self) -> list[str]:
        """Resident adapters, the one last used the longest ago first."""
        return list(self._users)

    def loads(self) -> int:
        """How many adapters were loaded so far, reloads included."""
        return self._loads

    def _make_resident(self, adapter):
        """Load the adapter if need be; False if every slot is pinned."""
        if adapter in self._users:
            return True
        if len(self._users) == self._slots:
            victim = next((name for name, users in self._users.items() if users == 0), None)
            if victim is None:
                return False
            del self._users[victim]
        self._users[adapter] = 0
        self._loads += 1
        return True

    def _use(self, adapter, change):
        """Mark the adapter as just used, with that many more running requests."""
        if adapter:
            self._users[adapter] = self._users.pop(adapter) + change
