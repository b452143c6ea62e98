"""The state of a fleet at regular times, for plots."""

from typing import NamedTuple

from practice.sim.service.instance import DEAD, DRAINING, GONE, READY, STANDBY, STARTING


class Sample(NamedTuple):
    """The state at one time."""

    time: float
    """Seconds."""
    gateway: int
    """Requests that wait at the gateway."""
    waiting: int
    """Requests sent to a replica and not admitted there; those lost on a dead one until that is noticed too."""
    running: int
    """Requests admitted and not finished."""
    kv_use: float
    """KV tokens in use over those there are, of replicas that serve; 0 to 1."""
    ready: int
    """Replicas that take requests; dead ones until that is noticed not."""
    starting: int
    """Replicas in their cold start."""
    held: int
    """Replicas paid for: ready, starting, on standby, draining, dead and not noticed."""
    cost: float
    """Paid since the start."""


class Sampler:
    """Takes the samples of one simulation."""

    def __init__(self, run, period: float):
        self.run, self._period = run, period
        self.samples: list[Sample] = []

    def begin(self):
        """The first sample is at time 0."""
        if self._period:
            self.run.every(0.0, self.take, 0.0)

    def take(self, now: float):
        """One sample, and the next one on the agenda."""
        run = self.run
        run.gateway.expire(now)
        states = dict.fromkeys((STARTING, READY, STANDBY, DRAINING, DEAD, GONE), 0)
        waiting = running = used = total = 0
        cost = 0.0
        for instance in list(run.instances):
            if instance.serves:
                run.look(instance, now)
                running += instance.engine.running
                used += instance.engine.kv_used
                total += instance.engine.setup.kv_capacity_tokens
            if instance.state != GONE:
                waiting += instance.waiting if instance.serves else instance.load.requests
            states[instance.state] += 1
            end = now if instance.held_until is None else instance.held_until
            cost += (end - instance.held_from) * instance.group.gpus * instance.group.gpu_price / 3600
        self.samples.append(Sample(now, run.gateway.queued, waiting, running, used / total if total else 0.0, states[READY], states[STARTING],
                                   len(run.instances) - states[GONE], cost))
        run.every(self._period, self.take, now)
