from collections import OrderedDict

BASE = ""


class Residency:

    def __init__(self, slots, max_batch):
        self.slots = slots
        self.max_batch = max_batch
        self.users = OrderedDict()
        self.queue = []
        self.running = {}
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
            if len(self.running) == self.max_batch or not self.make_resident(adapter):
                left.append((request, adapter))
                continue
            self.running[request] = adapter
            self.use(adapter, +1)
            admitted.append(request)
        self.queue = left
        return admitted

    def make_resident(self, adapter):
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
        if adapter != BASE:
            self.users[adapter] += change
            if change > 0:
                self.users.move_to_end(adapter)

    def finish(self, request):
        self.use(self.running.pop(request), -1)

    def resident(self):
        return list(self.users)

    def loads(self):
        return self.load_count
