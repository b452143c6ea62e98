"""The gateway: what it holds back while replicas are full, in which order it lets go, and what it turns away."""

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush

from practice.sim.wording import check_choice, check_number, check_whole

ORDERS = ("fcfs", "priority", "fair")


@dataclass(frozen=True)
class Overload:
    """Limits; each None is no limit."""

    concurrency: int | None = None
    """Requests that one replica may have at once; the others wait at the gateway."""
    queue_limit: int | None = None
    """Requests that may wait at the gateway. One more is turned away, or with `sheds` the least important that waits."""
    deadline: float | None = None
    """Seconds a request may wait at the gateway; then it is turned away."""
    order: str = "fcfs"
    """fcfs; priority (lowest number first); fair: the tenant that was given the fewest tokens so far.
    Source of fair: Sheng et al. 2024, Fairness in serving large language models (virtual token counter)."""
    sheds: bool = False
    """When the queue is full, turn away what waits with the highest priority number, the last of those, if it is higher."""
    tenant_rate: float | None = None
    """Tokens/s (input + output) of a tenant's bucket."""
    tenant_burst: float = 0.0
    """Tokens the bucket holds."""
    output_weight: float = 2.0
    """With fair: what an output token counts, where an input token counts 1."""

    def __post_init__(self):
        check_choice("order", self.order, ORDERS)
        for name in ("concurrency", "queue_limit"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), least=1 if name == "concurrency" else 0)
        if self.deadline is not None:
            check_number("deadline", self.deadline, above=0)
        if self.tenant_rate is not None:
            check_number("tenant_rate", self.tenant_rate, above=0)
            check_number("tenant_burst", self.tenant_burst, above=0)
        check_number("output_weight", self.output_weight, least=0)
        for name in ("queue_limit", "deadline"):
            if getattr(self, name) is not None and self.concurrency is None:
                raise ValueError(f"{name} is {getattr(self, name)}, but without concurrency nothing ever waits at the gateway")
        if self.sheds and self.queue_limit is None:
            raise ValueError("sheds is on, but without queue_limit the queue is never full")


class Buckets:
    """A token bucket for each tenant, full at the start."""

    def __init__(self, rate: float, burst: float):
        self._rate, self._burst = rate, burst
        self._left = {}  # tenant -> (tokens, time)

    def take(self, tenant, tokens: int, now: float) -> bool:
        """Whether the tenant's bucket holds so many tokens, which are then taken."""
        left, time = self._left.get(tenant, (self._burst, now))
        left = min(self._burst, left + (now - time) * self._rate)
        allowed = tokens <= left
        self._left[tenant] = (left - tokens if allowed else left, now)
        return allowed


class Waiting:
    """A queue of (number, request) in one of the orders."""

    def __init__(self, order: str, output_weight: float = 2.0):
        self._order, self._weight = order, output_weight
        self._heap = []  # fcfs and priority: (key, sequence, number)
        self._tenants = {}  # fair: tenant -> deque of numbers
        self._given = {}  # fair: tenant -> tokens
        self._held = {}  # number -> (sequence, request), in order of coming
        self._sequence = 0

    def __len__(self):
        return len(self._held)

    def add(self, number: int, request):
        """One more, behind its equals."""
        self._sequence += 1
        self._held[number] = (self._sequence, request)
        if self._order == "fair":
            self._add_fair(number, getattr(request, "tenant", None))
        else:
            heappush(self._heap, (request.priority if self._order == "priority" else 0, self._sequence, number))

    def _add_fair(self, number, tenant):
        queue = self._tenants.setdefault(tenant, deque())
        if not queue:
            # A tenant that comes back is lifted to the least of those present: absence saves nothing up.
            present = [self._given[other] for other, others in self._tenants.items() if others]
            self._given[tenant] = max(self._given.get(tenant, 0.0), min(present, default=0.0))
        queue.append(number)

    def head(self):
        """(number, request) of the next, or None."""
        if not self._held:
            return None
        number = self._head_fair() if self._order == "fair" else self._head_heap()
        return number, self._held[number][1]

    def _head_heap(self):
        heap = self._heap
        while heap[0][2] not in self._held or self._held[heap[0][2]][0] != heap[0][1]:
            heappop(heap)
        return heap[0][2]

    def _head_fair(self):
        for tenant, queue in list(self._tenants.items()):
            while queue and queue[0] not in self._held:
                queue.popleft()
            if not queue:
                del self._tenants[tenant]
        return self._tenants[min(self._tenants, key=self._given.get)][0]

    def pop(self):
        """Takes the next out."""
        number, request = self.head()
        del self._held[number]
        if self._order == "fair":
            tenant = getattr(request, "tenant", None)
            self._tenants[tenant].popleft()
            self._given[tenant] += request.input_len + self._weight * request.output_len
        return number, request

    def remove(self, number: int):
        """Takes one out that is turned away; its request."""
        return self._held.pop(number)[1]

    def least_important(self):
        """(number, request) with the highest priority number, the last of those; None where nothing waits."""
        if not self._held:
            return None
        number = max(self._held, key=lambda n: (self._held[n][1].priority, self._held[n][0]))
        return number, self._held[number][1]

    def numbers(self):
        """All that wait, in order of coming."""
        return list(self._held)

    @property
    def tokens(self) -> int:
        """Input and output tokens of all that wait."""
        return sum(request.input_len + request.output_len for _, request in self._held.values())

    def oldest(self):
        """The number that came first."""
        return next(iter(self._held))
