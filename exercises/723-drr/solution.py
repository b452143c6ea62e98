"""Exercise 723: deficit round robin by tokens."""

from collections import deque


class FairQueue:
    """Requests of several clients, served so that each client gets its share of the tokens.

    Only clients with something waiting are stored: their queue, their deficit and their place in the round.
    """

    def __init__(self, quantum: int, weights: dict[str, int]):
        self.quantum = quantum
        self.weights = weights
        self.round = deque()  # clients with something waiting; the head is the one being visited
        self.waiting = {}  # client -> deque of (request, cost)
        self.deficit = {}  # client -> tokens it may still use
        self.visiting = False  # has the head been credited for this visit?
        self.count = 0

    def push(self, client: str, request: str, cost: int) -> None:
        """Add a request of cost tokens behind the client's others."""
        if cost < 1:
            raise ValueError(f"request {request} costs {cost} tokens, but a cost is 1 or more")
        if client not in self.waiting:
            self.waiting[client] = deque()
            self.deficit[client] = 0
            self.round.append(client)
        self.waiting[client].append((request, cost))
        self.count += 1

    def pop(self) -> str | None:
        """Remove the next request and return its name; None when nothing waits."""
        while self.round:
            client = self.round[0]
            if not self.visiting:
                self.deficit[client] += self.quantum * self.weights.get(client, 1)
                self.visiting = True
            request, cost = self.waiting[client][0]
            if cost <= self.deficit[client]:
                self.serve(client, cost)
                return request
            # Not covered: the visit ends, the deficit stays. It grows at each visit, so this loop ends.
            self.round.rotate(-1)
            self.visiting = False
        return None

    def serve(self, client: str, cost: int) -> None:
        """Take the first request off the head of the round; a client that ran empty leaves with all its state."""
        self.waiting[client].popleft()
        self.deficit[client] -= cost
        self.count -= 1
        if not self.waiting[client]:
            self.round.popleft()
            del self.waiting[client], self.deficit[client]  # idle clients must not save up credit
            self.visiting = False

    def __len__(self) -> int:
        """Number of waiting requests."""
        return self.count
