"""Replicas come and go: cold starts, draining, deaths that are noticed late, and what becomes of the work on them."""

from dataclasses import replace

from practice.sim.service.failures import Failures, RetryBudget
from practice.sim.service.instance import DEAD, DRAINING, GONE, READY, STANDBY, STARTING, Instance


class Lives:
    """The replicas' lives in one simulation."""

    def __init__(self, run, failures: Failures | None):
        self.run = run
        self.failures = failures or Failures()
        self.budget = RetryBudget(self.failures.retry_budget)
        self.on_ready, self.on_gone = [], []
        """Called with (instance, now)."""

    def begin(self):
        """The replicas of the start, and the deaths that are known."""
        for group in self.run.service.groups:
            for _ in range(group.replicas):
                self.add(group, 0.0, 0.0)
        total = len(self.run.instances)
        grows = self.failures.replaces or self.run.service.rollout or any(group.autoscale for group in self.run.service.groups)
        for death in self.failures.deaths:
            if death.replica is not None and death.replica >= total and not grows:
                raise ValueError(f"a death names replica {death.replica}, but there are {total}, numbered from 0")
            self.run.at(death.time, self._strike, death)

    def add(self, group, now: float, ready_at: float, generation: int = 0, is_spare: bool = False, zone: int | None = None) -> Instance:
        """One more replica, ready at `ready_at`."""
        run = self.run
        number = len(run.instances)
        if zone is None:
            zone = sum(i.group is group for i in run.instances) % group.zones
        instance = Instance(number, group, zone, run.engine_for(group, number), now, ready_at)
        instance.generation, instance.is_spare = generation, is_spare
        run.prepare(instance)
        run.instances.append(instance)
        if instance.state == READY and is_spare:
            instance.state = STANDBY
        if instance.state == STARTING:
            run.at(ready_at, self._ready, instance)
        else:
            self._opened(instance, now)
        return instance

    def start(self, group, now: float, **about) -> Instance:
        """One more replica after a cold start."""
        return self.add(group, now, now + group.cold_start, **about)

    def _ready(self, instance, now):
        if instance.state == STARTING:
            instance.state = STANDBY if instance.is_spare else READY
            self._opened(instance, now)

    def _opened(self, instance, now):
        if self.failures.mttf is not None:
            self.run.at(now + self.run.rng.expovariate(1 / self.failures.mttf), self.die, instance)
        for call in self.on_ready:
            call(instance, now)
        self.run.refresh(now)

    def promote(self, instance, now: float):
        """A replica on standby, or meant for it, serves from now on (or from its readiness)."""
        instance.is_spare = False
        if instance.state == STANDBY:
            instance.state = READY
            self.run.refresh(now)

    def drain(self, instance, now: float):
        """No more requests for this replica; it leaves when its last one is done."""
        if instance.state in (STARTING, STANDBY):
            self._leave(instance, now)
            return
        instance.state = DRAINING
        self.run.refresh(now)
        self.run.look(instance, now)
        self.leave_if_idle(instance, now)

    def leave_if_idle(self, instance, now: float):
        """Ends a draining replica that has nothing left to do."""
        if instance.state == DRAINING and not instance.load.requests and not instance.coming:
            self._leave(instance, now)

    def _leave(self, instance, now):
        instance.state, instance.held_until = GONE, now
        self.run.refresh(now)
        for call in self.on_gone:
            call(instance, now)

    def _strike(self, death, now):
        for instance in list(self.run.instances):
            if instance.number == death.replica or instance.zone == death.zone:
                self.die(instance, now)

    def die(self, instance, now: float):
        """The replica stops in the middle of whatever it does."""
        if instance.state in (DEAD, GONE):
            return
        if instance.serves:
            self.run.look(instance, now)
        if instance.state == GONE or not self.run.is_active:
            return
        instance.was_ready = instance.state == READY
        instance.state, instance.died_at, instance.wake = DEAD, now, float("inf")
        self.run.at(self.failures.noticed(now), self._notice, instance)

    def _notice(self, instance, now):
        instance.state, instance.held_until = GONE, now
        self.run.refresh(now)
        seen_to = self.run.replaces_itself(instance)
        for call in self.on_gone:
            call(instance, now)
        if self.failures.replaces and self.run.is_active and not seen_to:
            self.start(instance.group, now, generation=self.run.generation(instance), is_spare=instance.is_spare, zone=instance.zone)
        lost = instance.in_flight(instance.died_at)
        lost += [(number, None) for number in instance.coming]
        if instance.adapters is not None:
            lost += [(number, None) for number, _ in instance.adapters.waiting]
        instance.coming = {}
        for number, index in lost:
            self._again(number, instance, index, now)

    def _again(self, number, instance, index, now):
        run, policy = self.run, self.failures
        story = run.story(number)
        if policy.resume:
            if index is not None:
                story.keep(instance, index, instance.streamed(index, instance.died_at))
        else:
            story.drop()
        if run.handover is not None:
            run.handover.forget(number)
        if story.retries >= policy.retries:
            run.reject(number, now, "lost")
        elif not self.budget.take():
            run.reject(number, now, "retry budget")
        else:
            story.retries += 1
            run.gateway.again(number, _rest(run.requests[number], len(story.earlier), now), now)


def _rest(request, given, now):
    """What is left to do of a request that has been given some tokens: they have become part of its prompt."""
    if not given:
        return request
    return replace(request, arrival=now, input_len=request.input_len + given, output_len=request.output_len - given)
