from collections import deque


class FairQueue:
    def __init__(self, quantum: int, weights: dict[str, int]):
        self.quantum = quantum
        self.weights = weights
        self.round = deque()
        self.waiting = {}
        self.deficit = {}
        self.visiting = False
        self.count = 0

    def push(self, client: str, request: str, cost: int) -> None:
        if cost < 1:
            raise ValueError(f"request {request} costs {cost} tokens, but a cost is 1 or more")
        if client not in self.waiting:
            self.waiting[client] = deque()
            self.deficit[client] = 0
            self.round.append(client)
        self.waiting[client].append((request, cost))
        self.count += 1

    def pop(self) -> str | None:
        while self.round:
            client = self.round[0]
            if not self.visiting:
                self.deficit[client] += self.quantum
                self.visiting = True
            request, cost = self.waiting[client][0]
            if cost <= self.deficit[client]:
                self.serve(client, cost)
                return request
            self.round.rotate(-1)
            self.visiting = False
        return None

    def serve(self, client: str, cost: int) -> None:
        self.waiting[client].popleft()
        self.deficit[client] -= cost
        self.count -= 1
        if not self.waiting[client]:
            self.round.popleft()
            del self.waiting[client], self.deficit[client]
            self.visiting = False

    def __len__(self) -> int:
        return self.count
