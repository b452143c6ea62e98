"""Preemption by recomputation: blocks are never stored, they follow from the tokens computed."""

from collections import deque
from dataclasses import dataclass


@dataclass
class Request:
    """One request; `computed` is 0 unless it runs."""

    name: str
    prompt: int
    output: int
    priority: int
    status: str = "waiting"
    computed: int = 0
    generated: int = 0


class Engine:
    """Running and waiting sequences over a pool of KV blocks."""

    def __init__(self, num_blocks: int, block_size: int):
        self._num_blocks = num_blocks
        self._block_size = block_size
        self._requests = {}
        self._queue = deque()
        self._running = []  # in order of admission

    def add(self, name: str, prompt: int, output: int, priority: int = 0) -> None:
        """Put a request at the tail of the queue."""
        if name in self._requests:
            raise ValueError(f"{name} is known already")
        if prompt < 1 or output < 1:
            raise ValueError(f"prompt is {prompt} and output {output}, but both must be 1 or more")
        if self._blocks(prompt + output - 1) > self._num_blocks:
            raise ValueError(f"{name} would need more than {self._num_blocks} blocks")
        self._requests[name] = Request(name, prompt, output, priority)
        self._queue.append(self._requests[name])

    def step(self) -> dict:
        """Run one step: grow, admit, finish."""
        emitted, preempted = self._grow()
        emitted += self._admit()
        return {
            "emitted": [request.name for request in emitted],
            "preempted": [request.name for request in preempted],
            "finished": [request.name for request in self._finish()],
        }

    def state(self, name: str) -> dict:
        """Status, computed, generated and blocks of a request. Raises KeyError for an unknown name."""
        request = self._requests[name]
        return {
            "status": request.status,
            "computed": request.computed,
            "generated": request.generated,
            "blocks": self._blocks(request.computed),
        }

    def _grow(self):
        emitted, preempted = [], []
        for request in list(self._running):
            while request.status == "running" and self._added_blocks(request) > self._free():
                victim = self._victim()
                self._preempt(victim)
                preempted.append(victim)
                if victim in emitted:
                    emitted.remove(victim)
                    victim.generated -= 1
            if request.status == "running":
                request.computed += 1
                request.generated += 1
                emitted.append(request)
        return emitted, preempted

    def _victim(self):
        """The running request with the largest priority number, the latest admitted among those."""
        return max(reversed(self._running), key=lambda request: request.priority)

    def _preempt(self, victim):
        self._running.remove(victim)
        victim.status, victim.computed = "waiting", 0
        self._queue.appendleft(victim)

    def _admit(self):
        admitted = []
        while self._queue:
            head = self._queue[0]
            known = head.prompt + head.generated
            if self._blocks(known) > self._free():
                break
            self._queue.popleft()
            head.status, head.computed, head.generated = "running", known, head.generated + 1
            self._running.append(head)
            admitted.append(head)
        return admitted

    def _finish(self):
        finished = [request for request in self._running if request.generated == request.output]
        for request in finished:
            self._running.remove(request)
            request.status, request.computed = "finished", 0
        return finished

    def _free(self):
        return self._num_blocks - sum(self._blocks(request.computed) for request in self._running)

    def _added_blocks(self, request):
        return self._blocks(request.computed + 1) - self._blocks(request.computed)

    def _blocks(self, tokens):
        return -(-tokens // self._block_size)
