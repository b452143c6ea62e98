"""Exercise 723: the round is a generator, so a visit stays open between two calls by itself."""

from collections import deque
from collections.abc import Iterator


class Lane:
    """One client while it is in the round: its requests in order, and its deficit."""

    def __init__(self, client: str, share: int):
        self.client = client
        self.share = share  # tokens per visit
        self.deficit = 0
        self.waiting = deque()  # (request, cost)

    def is_covered(self) -> bool:
        """Whether the deficit pays for the first waiting request."""
        return bool(self.waiting) and self.deficit >= self.waiting[0][1]


class FairQueue:
    """Requests of several clients, served so that each client gets its share of the tokens."""

    def __init__(self, quantum: int, weights: dict[str, int]):
        """quantum: tokens per visit and unit of weight; weights: client -> weight, 1 where it is missing."""
        self.quantum = quantum
        self.weights = weights
        self.lanes = {}  # only of clients with something waiting
        self.round = deque()
        self.size = 0
        self.answers = self.visit()

    def push(self, client: str, request: str, cost: int) -> None:
        """Add a request of cost tokens behind the client's others."""
        if cost < 1:
            raise ValueError(f"cost is {cost}, but it must be 1 or more")
        lane = self.lanes.get(client)
        if lane is None:
            lane = self.lanes[client] = Lane(client, self.quantum * self.weights.get(client, 1))
            self.round.append(lane)
        lane.waiting.append((request, cost))
        self.size += 1

    def pop(self) -> str | None:
        """Remove the next request and return its name; None when nothing waits."""
        return next(self.answers)

    def visit(self) -> Iterator[str | None]:
        """The answer of each pop, for ever; between two of them a visit waits at its yield."""
        while True:
            while not self.round:
                yield None
            lane = self.round[0]
            lane.deficit += lane.share
            while lane.is_covered():
                yield self.serve(lane)
            if lane.waiting:
                self.round.rotate(-1)

    def serve(self, lane: Lane) -> str:
        """Take the first request of the lane at the head; a lane that is empty then leaves for good."""
        request, cost = lane.waiting.popleft()
        lane.deficit -= cost
        self.size -= 1
        if not lane.waiting:
            self.round.popleft()
            del self.lanes[lane.client]
        return request

    def __len__(self) -> int:
        """Number of waiting requests."""
        return self.size
