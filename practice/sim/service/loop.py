"""simulate_fleet: a workload through a fleet, by events.

Three kinds of events: arrivals, in the order of the workload; the agenda, a heap of calls at known times; and wakes, the
next time at which a replica may finish something. A replica is advanced only when one of them needs to know about it, and
then in closed form. Where no policy looks at loads there are no wakes at all, and each replica runs through in one go.
"""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random

from practice.sim.service.autoscaling import Scaler
from practice.sim.service.delivery import Delivery
from practice.sim.service.design import Service
from practice.sim.service.disaggregation import Handover
from practice.sim.service.gateway import Gateway
from practice.sim.service.instance import READY, Instance, just_after, make_engine
from practice.sim.service.lives import Lives
from practice.sim.service.lora import Adapters
from practice.sim.service.outcome import Outcome
from practice.sim.service.overload import Overload
from practice.sim.service.record import Rejection
from practice.sim.service.rollout import Deployment
from practice.sim.service.sample import Sampler
from practice.sim.service.story import Story
from practice.sim.service.tiers import Directory, Store, TieredPool
from practice.sim.simulation import check_workload
from practice.sim.wording import check_number
from practice.sim.workload import Request


def simulate_fleet(service: Service, workload: Sequence[Request], *, sample: float = 0.0,
                   progress: Callable[[int], None] | None = None) -> Outcome:
    """What becomes of every request of a workload in this fleet.

    workload: Requests, or Calls (with session, tenant, adapter), in order of arrival.
    sample: seconds between the samples of Outcome.samples, 0 for none. progress: called now and then with the number of
    requests that have arrived.
    Raises ValueError where a request fits no replica, and where settings contradict each other.
    With one replica and nothing else set, the records are those of `simulate`, to the bit.
    """
    check_workload(workload)
    check_number("sample", sample, least=0)
    run = Run(service, workload, sample)
    run.run(progress)
    return run.outcome()


class Run:
    """One simulation under way: what the policies share."""

    def __init__(self, service: Service, requests: Sequence[Request], sample: float):
        self.service, self.requests = service, requests
        self.rng = Random(service.seed)
        self.agenda, self._sequence, self.wakes = [], count(), []
        self.instances: list[Instance] = []
        self.decoders: list[Instance] = []
        self.stories: dict[int, Story] = {}
        self.rejections: list[Rejection] = []
        self.left = len(requests)
        """Requests neither finished nor rejected, as far as anyone has looked."""
        self.arrived = 0
        self._solid = 0  # events on the agenda that are not looks of a sampler, an autoscaler or a router
        self._looks_in_vain = 0
        self.now = 0.0
        """Time of the last event that was not such a look."""
        self.watches = self._is_watched()
        """Whether what replicas finish is looked at as it happens."""
        self._tracks_prefill = any(getattr(router, "tracks_prefill", False) for router in (service.router, service.decode_router))
        self._loads = service.tiers is not None or service.disaggregation is not None
        caches = any(group.setup.prefix_cache for group in service.groups)
        self.directory = Directory() if caches and (service.tiers or getattr(service.router, "needs_directory", False)) else None
        shared = service.tiers.shared_tokens if service.tiers else 0
        self._shared = Store(shared) if shared else None
        self.handover = None
        if service.disaggregation:
            self.handover = Handover(self, service.disaggregation, self._started(service.decode_router))
        self.gateway = Gateway(self, service.overload or Overload())
        self.choose = self._started(service.router)
        self.delivery = Delivery(self)
        self.lives = Lives(self, service.failures)
        self.scalers = [Scaler(self, group) for group in service.groups if group.autoscale]
        self.deployment = Deployment(self, service.rollout) if service.rollout else None
        self.sampler = Sampler(self, sample)
        self._check_fit()
        self.lives.begin()
        for part in (*self.scalers, self.deployment, self.sampler):
            if part is not None:
                part.begin()
        if service.stale:
            self.every(self.service.stale, self._show_loads, 0.0)

    def _is_watched(self):
        service = self.service
        lone = len(service.groups) == 1 and service.groups[0].replicas == 1 and not service.groups[0].autoscale and service.failures is None
        looks = service.router.watches and not service.stale and not (lone and not getattr(service.router, "rejects", False))
        return bool(looks or service.lora or service.tiers or service.disaggregation or service.rollout
                    or (service.overload and service.overload.concurrency is not None))

    def _started(self, router):
        if getattr(router, "needs_directory", False):
            return router.start(self.rng, self.directory)
        return router.start(self.rng)

    def _check_fit(self):
        """Raises ValueError for a request that some group would take and could never admit."""
        groups = [(group, self.setup_of(group).kv_capacity_tokens) for group in self.service.groups]
        least = min(capacity for _, capacity in groups)
        for number, request in enumerate(self.requests):
            tokens = request.input_len + request.output_len
            if tokens > least:
                for group, capacity in groups:
                    if tokens > capacity and (group.takes_all or group.takes(request)):
                        raise ValueError(f"request {number} has {tokens} tokens (input_len + output_len), but group {self._name(group)} takes "
                                         f"it and holds {capacity} (kv_capacity_tokens): give the group a lower most_tokens")

    def _name(self, group):
        return group.name or str(self.service.groups.index(group))

    def setup_of(self, group):
        """The group's setup, with what adapters take."""
        return self.service.lora.on(group.setup) if self.service.lora else group.setup

    def engine_for(self, group, number: int):
        """A new engine for a replica of the group."""
        engine = make_engine(self.setup_of(group), self._loads)
        if self.directory is not None and group.setup.prefix_cache:
            tiers = self.service.tiers
            host = Store(tiers.host_tokens) if tiers and tiers.host_tokens else None
            engine.pool = TieredPool(engine.pool.total, self.directory, 1 << number, host, self._shared)
        return engine

    def prepare(self, instance: Instance):
        """Gives a new replica what the policies keep on each."""
        instance.tracks_prefill = self._tracks_prefill
        if self.service.lora:
            instance.adapters = Adapters(self.service.lora)
        if self.service.stale:
            instance.view = instance.load.copy()

    def at(self, time: float, call: Callable, *arguments):
        """Puts call(*arguments, time) on the agenda."""
        self._solid += 1
        heappush(self.agenda, (time, next(self._sequence), call, arguments, True))

    def every(self, period: float, call: Callable, now: float):
        """Puts the next of a periodic look on the agenda, as long as there is anything left to happen."""
        if not self.is_active:
            return
        if self._can_move():
            self._looks_in_vain = 0
        else:
            # Only an autoscaler can still bring replicas for what waits: give each the time of its cooldown.
            self._looks_in_vain += 1
            patience = sum(10 + scaler.policy.up_cooldown / period for scaler in self.scalers)
            if self._looks_in_vain > patience * (2 + len(self.scalers)):
                return
        heappush(self.agenda, (now + period, next(self._sequence), call, (), False))

    def _can_move(self):
        return (self.arrived < len(self.requests) or self._solid > 0
                or any(instance.load.requests and instance.serves for instance in self.instances))

    @property
    def is_active(self) -> bool:
        """Whether requests are still to come or on their way."""
        return self.left > 0

    def run(self, progress=None):
        """Goes through all events."""
        agenda, wakes, requests = self.agenda, self.wakes, self.requests
        total, step = len(requests), max(1, len(requests) // 100)
        simple = self._is_simple()
        while True:
            arrival = requests[self.arrived].arrival if self.arrived < total else inf
            due = agenda[0][0] if agenda else inf
            wake = wakes[0][0] if wakes else inf
            if wake <= due and wake <= arrival and wake < inf:
                _, number = heappop(wakes)
                instance = self.instances[number]
                if instance.wake == wake:
                    self.now = wake
                    self.look(instance, wake)
            elif due <= arrival and due < inf:
                time, _, call, arguments, is_solid = heappop(agenda)
                if is_solid:
                    self._solid -= 1
                    self.now = time
                call(*arguments, time)
            elif arrival < inf:
                self.now = arrival
                if simple and self.gateway.only_lane.candidates:
                    self._send_all(due)
                else:
                    number = self.arrived
                    self.arrived += 1
                    self.lives.budget.arrived += 1
                    self.gateway.arrive(number, requests[number], arrival)
                if progress and self.arrived % step == 0:
                    progress(self.arrived)
            else:
                break
        self._end()

    def _is_simple(self):
        """Whether nothing happens between the arrivals but the router's choice."""
        return (self.delivery.is_direct and self.service.overload is None and self.gateway.only_lane is not None
                and not (self._tracks_prefill or self.watches or self.handover))

    def _send_all(self, due):
        """Sends the arrivals before the next event on the agenda, when nothing else can happen in between."""
        requests, choose, candidates = self.requests, self.choose, self.gateway.only_lane.candidates
        place, total = self.arrived, len(self.requests)
        while place < total:
            request = requests[place]
            if request.arrival >= due:
                break
            instance = choose(request, candidates)
            instance.numbers.append(place)
            instance.inbox.append(request)
            load = instance.load
            load.requests += 1
            load.tokens += request.input_len + request.output_len
            place += 1
        self.lives.budget.arrived += place - self.arrived
        self.arrived = place

    def _end(self):
        for instance in self.instances:
            if instance.serves:
                self.look(instance, inf)
        self.gateway.give_up(self.now)
        if self.handover:
            self.handover.give_up(self.now)

    def look(self, instance: Instance, now: float):
        """Advances a replica and handles what has finished on it."""
        for index in instance.catch_up(now):
            self._finish(instance, index)
        if self.watches and instance.serves:
            wake = instance.next_wake()
            if instance.inbox:  # what has just finished made room for another one here
                wake = min(wake, just_after(now))
            if wake != instance.wake:
                instance.wake = wake
                if wake < inf:
                    heappush(self.wakes, (wake, instance.number))

    def _finish(self, instance, index):
        engine, load, number = instance.engine, instance.load, instance.numbers[index]
        time = engine.finish_times[index]
        load.requests -= 1
        if instance.group.role == "prefill":
            load.tokens -= engine.inputs[index] + self.story(number).current.output_len
            self.handover.prefilled(number, instance, index, time)
        else:
            load.tokens -= engine.inputs[index] + engine.outputs[index]
            if self.handover:
                self.handover.forget(number)
            self.complete(number)
        if instance.adapters is not None:
            self.delivery.release_adapter(instance, number, time)
        self.lives.leave_if_idle(instance, time)
        self.gateway.pump(time)

    def complete(self, number: int):
        """A request has got its last token."""
        self.left -= 1

    def reject(self, number: int, now: float, reason: str):
        """A request is turned away for good."""
        request, story = self.requests[number], self.stories.get(number)
        self.left -= 1
        self.rejections.append(Rejection(number, request.arrival, request.input_len, request.output_len, now, reason,
                                         story.retries if story else 0))

    def story(self, number: int) -> Story:
        """What is remembered of a request."""
        story = self.stories.get(number)
        if story is None:
            story = self.stories[number] = Story()
        return story

    def refresh(self, now: float):
        """The set of replicas that serve has changed."""
        self.decoders = [i for i in self.instances if i.group.role == "decode" and (i.state == READY or i.was_ready and i.state == "dead")]
        self.gateway.refresh()
        if self.handover and self.decoders:
            self.handover.pump(now)
        self.gateway.pump(now)

    def _show_loads(self, now):
        for instance in self.instances:
            if instance.serves:
                self.look(instance, now)
            instance.view = instance.load.copy()
        self.every(self.service.stale, self._show_loads, now)

    def replaces_itself(self, instance: Instance) -> bool:
        """Whether someone else sees to the replacement of a dead replica."""
        return self.deployment is not None and self.deployment.replaces(instance)

    def generation(self, instance: Instance) -> int:
        """The version that a replacement of this replica runs."""
        return self.deployment.generation(instance) if self.deployment else 0

    def outcome(self) -> Outcome:
        """The records, rejections, replicas and samples."""
        from practice.sim.service.outcome import collect

        return collect(self)
