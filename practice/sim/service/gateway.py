"""Where requests enter: classes of requests by the groups that take them, and a queue for each."""

from math import inf

from practice.sim.service.instance import DEAD, READY
from practice.sim.service.overload import Buckets, Overload, Waiting


class Lane:
    """Requests that the same groups take: their replicas, and their queue."""

    def __init__(self, groups: tuple, order: str, output_weight: float):
        self.groups = groups
        self.candidates = []
        """The replicas that the router may choose; a new list whenever that changes."""
        self.queue = Waiting(order, output_weight)


class Gateway:
    """Admits, queues and dispatches requests; `run` is the simulation it belongs to."""

    def __init__(self, run, overload: Overload):
        self.run, self.overload = run, overload
        self.lanes = {}  # groups -> Lane
        self.buckets = Buckets(overload.tenant_rate, overload.tenant_burst) if overload.tenant_rate else None
        self.entered = {}  # number -> when it came to the queue, where that is not its arrival
        front = [group for group in run.service.groups if group.role != "decode"]
        self._front = tuple(front)
        self.only_lane = self._lane(self._front) if all(group.takes_all for group in front) else None
        """The lane of all requests, where every group takes every request."""
        self._limit = overload.concurrency if overload.concurrency is not None else inf
        self._reserves = run.handover is not None and run.handover.policy.reserve_decode

    def _lane(self, groups):
        lane = self.lanes.get(groups)
        if lane is None:
            lane = self.lanes[groups] = Lane(groups, self.overload.order, self.overload.output_weight)
            self._fill(lane)
        return lane

    def lane_of(self, request) -> Lane:
        """The lane of a request. Raises ValueError where no group takes it."""
        if self.only_lane is not None:
            return self.only_lane
        groups = tuple(group for group in self._front if group.takes(request))
        if not groups:
            raise ValueError(f"no group takes a request of {request.input_len} prompt tokens and priority {request.priority}: widen "
                             "least_tokens, most_tokens or priorities of one")
        return self._lane(groups)

    def _fill(self, lane):
        # A dead replica is chosen until health checks notice.
        lane.candidates = [i for i in self.run.instances if i.group in lane.groups and
                           (i.state == READY or i.state == DEAD and i.was_ready)]

    def refresh(self):
        """The set of replicas has changed."""
        for lane in self.lanes.values():
            self._fill(lane)

    def waiting(self, group) -> float:
        """Requests that wait for this group, those of several groups in equal parts."""
        return sum(len(lane.queue) / len(lane.groups) for lane in self.lanes.values() if group in lane.groups)

    def waiting_tokens(self, group) -> float:
        """Their input and output tokens."""
        return sum(lane.queue.tokens / len(lane.groups) for lane in self.lanes.values() if group in lane.groups)

    @property
    def queued(self) -> int:
        """Requests that wait at the gateway."""
        return sum(len(lane.queue) for lane in self.lanes.values())

    def arrive(self, number: int, request, now: float):
        """A request comes for the first time."""
        if self.buckets and not self.buckets.take(getattr(request, "tenant", None), request.input_len + request.output_len, now):
            self.run.reject(number, now, "tenant limit")
            return
        lane = self.lane_of(request)
        if lane.queue or not self._dispatch(lane, number, request, now):
            self._queue(lane, number, request, now)
            self.pump_lane(lane, now)

    def again(self, number: int, request, now: float):
        """A request comes again after its replica died: never turned away for a full queue."""
        lane = self.lane_of(self.run.requests[number])
        self.entered[number] = now
        lane.queue.add(number, request)
        self.pump_lane(lane, now)

    def _queue(self, lane, number, request, now):
        self._expire(lane, now)
        limit = self.overload.queue_limit
        if limit is not None and len(lane.queue) >= limit:
            worst = lane.queue.least_important() if self.overload.sheds else None
            if worst is None or worst[1].priority <= request.priority:
                self.run.reject(number, now, "queue full")
                return
            lane.queue.remove(worst[0])
            self.run.reject(worst[0], now, "shed")
        lane.queue.add(number, request)

    def _expire(self, lane, now):
        deadline = self.overload.deadline
        while deadline is not None and lane.queue:
            number = lane.queue.oldest()
            ends = self.entered.get(number, self.run.requests[number].arrival) + deadline
            if ends >= now:
                return
            lane.queue.remove(number)
            self.run.reject(number, ends, "deadline")

    def expire(self, now: float):
        """Turns away whose deadline has passed."""
        for lane in self.lanes.values():
            self._expire(lane, now)

    def pump(self, now: float):
        """Room may have come free: sends what waits."""
        for lane in self.lanes.values():
            if lane.queue:
                self.pump_lane(lane, now)

    def pump_lane(self, lane: Lane, now: float):
        """Sends the requests of a lane as far as there is room."""
        self._expire(lane, now)
        while lane.queue:
            number, request = lane.queue.head()
            if not self._has_room(lane, request):
                return
            lane.queue.pop()
            self._dispatch(lane, number, request, now)

    def _open(self, lane):
        limit, candidates = self._limit, lane.candidates
        if limit == inf:
            return candidates
        free = [instance for instance in candidates if instance.load.requests < limit]
        return candidates if len(free) == len(candidates) else free

    def _has_room(self, lane, request):
        return bool(self._open(lane)) and (not self._reserves or self.run.handover.has_room(request))

    def _dispatch(self, lane, number, request, now):
        """Sends a request to the router's choice; whether there was a replica to choose."""
        candidates = self._open(lane)
        if not candidates or (self._reserves and not self.run.handover.has_room(request)):
            return False
        chosen = self.run.choose(request, candidates)
        if chosen is None:
            self.run.reject(number, now, "predicted TTFT")
            return True
        if self.run.handover is not None:
            self.run.handover.begin(number, request)
        self.run.delivery.send(number, request, chosen, now)
        return True

    def give_up(self, now: float):
        """The end: what still waits will never be served."""
        self.expire(now)
        for lane in self.lanes.values():
            for number in lane.queue.numbers():
                lane.queue.remove(number)
                self.run.reject(number, now, "no replica")
