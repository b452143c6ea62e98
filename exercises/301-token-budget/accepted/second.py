"""One scheduler step as an object with the resources that the phases share: the budget, the free blocks, the running."""


def schedule_step(
    running: list[dict], waiting: list[dict], *, token_budget: int, max_seqs: int, free_blocks: int, block_size: int
) -> dict:
    """The decision of one engine step: decodes first, then prefill chunks, then admissions."""
    step = Step(running, token_budget, free_blocks, block_size)
    step.decode()
    step.prefill()
    if not step.preempted:
        step.admit(waiting, max_seqs)
    return {
        "scheduled": step.scheduled,
        "preempted": step.preempted,
        "admitted": step.admitted,
        "free_blocks": step.free,
    }


class Step:
    """What is left and what was decided so far."""

    def __init__(self, running, budget, free, block_size):
        self.alive = list(running)
        self.budget = budget
        self.free = free
        self.block_size = block_size
        self.scheduled = {}
        self.preempted = []
        self.admitted = []

    def decode(self):
        """One token for each decode; the last running request makes room where blocks are missing."""
        turn = 0
        while turn < len(self.alive) and self.budget:
            request = self.alive[turn]
            if left(request) > 1:
                turn += 1
            elif self.new_blocks(request, 1) <= self.free:
                self.schedule(request, 1)
                turn += 1
            else:  # look again, unless the victim was the request itself and the list ends here
                victim = self.alive.pop()
                self.free += victim["blocks"]
                self.preempted.append(victim["id"])

    def prefill(self):
        """A chunk for each prefill, as large as the prompt, the budget and the blocks allow."""
        for request in self.alive:
            if left(request) > 1:
                room = (request["blocks"] + self.free) * self.block_size - request["computed"]
                chunk = min(left(request), self.budget, room)
                if chunk > 0:
                    self.schedule(request, chunk)

    def admit(self, waiting, max_seqs):
        """Heads of the queue, each with blocks for its whole chunk."""
        for request in waiting:
            chunk = min(request["tokens"], self.budget)
            is_full = len(self.alive) + len(self.admitted) >= max_seqs
            if is_full or chunk == 0 or self.new_blocks(request, chunk) > self.free:
                break
            self.schedule(request, chunk)
            self.admitted.append(request["id"])

    def schedule(self, request, count):
        """Give a request count tokens and the blocks they need."""
        self.scheduled[request["id"]] = count
        self.budget -= count
        self.free -= self.new_blocks(request, count)

    def new_blocks(self, request, count):
        """Blocks that count more tokens need beyond those the request holds."""
        return max(0, -(-(request["computed"] + count) // self.block_size) - request["blocks"])


def left(request):
    """Tokens that are known but not computed."""
    return request["tokens"] - request["computed"]
