"""Which LoRA adapters are on the GPU.

An ordered dict from adapter to the number of running users is everything: its order is the LRU order, its length the slots taken, its values the pins.
"""

from collections import OrderedDict

BASE = ""


class Residency:
    """Admission of requests with adapters, of which a few fit on the GPU."""

    def __init__(self, slots, max_batch):
        self.slots = slots
        self.max_batch = max_batch
        self.users = OrderedDict()  # resident adapter -> running requests with it, least recently used first
        self.queue = []
        self.running = {}  # request -> adapter
        self.known = set()
        self.load_count = 0

    def submit(self, request, adapter):
        if request in self.known:
            raise ValueError(f"{request!r} was submitted before")
        self.known.add(request)
        self.queue.append((request, adapter))

    def admit(self):
        admitted, left = [], []
        for request, adapter in self.queue:
            # Passed over, not blocking: the next one may need nothing that is missing.
            if len(self.running) == self.max_batch or not self.make_resident(adapter):
                left.append((request, adapter))
                continue
            self.running[request] = adapter
            self.use(adapter, +1)
            admitted.append(request)
        self.queue = left
        return admitted

    def make_resident(self, adapter):
        """Load the adapter if that is needed and possible; whether it is resident afterwards."""
        if adapter == BASE or adapter in self.users:
            return True
        if len(self.users) == self.slots:
            victim = next((name for name, users in self.users.items() if users == 0), None)
            if victim is None:
                return False
            del self.users[victim]
        self.users[adapter] = 0
        self.load_count += 1
        return True

    def use(self, adapter, change):
        """One more or one less running user; either way the adapter was used just now."""
        if adapter != BASE:
            self.users[adapter] += change
            self.users.move_to_end(adapter)

    def finish(self, request):
        self.use(self.running.pop(request), -1)

    def resident(self):
        return list(self.users)

    def loads(self):
        return self.load_count
