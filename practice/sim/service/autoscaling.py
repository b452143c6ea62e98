"""How many replicas a group should have, from a signal that is looked at from time to time."""

from dataclasses import dataclass
from math import ceil

from practice.sim.wording import check_choice, check_number, check_whole

SIGNALS = ("waiting", "requests", "tokens", "kv_use")


@dataclass(frozen=True)
class Autoscale:
    """Proportional control, as Kubernetes' horizontal pod autoscaler does it.

    Every `period` the signal's sum over the group, divided by `target`, is the number of replicas wanted. New ones go
    through a cold start; those too many drain, and leave when their last request is done.
    """

    signal: str = "requests"
    """waiting: requests not admitted, at gateway and replicas; requests: sent and not finished, and at the gateway;
    tokens: input + output tokens of these; kv_use: share of the KV cache in use, 0 to 1."""
    target: float = 32.0
    """Of the signal, per replica."""
    minimum: int = 1
    """Fewest replicas."""
    maximum: int = 64
    """Most replicas, those that start included and those that drain not."""
    period: float = 15.0
    """Seconds between looks."""
    up_cooldown: float = 0.0
    """Seconds after a change before more are started."""
    down_cooldown: float = 300.0
    """Seconds after a change before some are drained."""
    tolerance: float = 0.1
    """Nothing changes while the signal is within this share of what the present number should have."""
    standby: int = 0
    """Replicas kept loaded and idle, which take requests at once when wanted; paid for like the others."""

    def __post_init__(self):
        check_choice("signal", self.signal, SIGNALS)
        check_number("target", self.target, above=0)
        check_whole("minimum", self.minimum, least=1)
        check_whole("maximum", self.maximum, least=self.minimum)
        check_number("period", self.period, above=0)
        for name in ("up_cooldown", "down_cooldown", "tolerance"):
            check_number(name, getattr(self, name), least=0)
        check_whole("standby", self.standby, least=0)

    def wanted(self, active: int, total: float) -> int:
        """Replicas wanted when `active` of them (ready or starting) together have this sum of the signal.

        Example: target 32, 4 replicas with 200 requests together: 7.
        """
        ratio = total / (self.target * active) if active else 2.0
        count = active if abs(ratio - 1) <= self.tolerance else ceil(round(total / self.target, 9))
        return max(self.minimum, min(self.maximum, count))


class Scaler:
    """Keeps one group at the size that its signal asks for."""

    def __init__(self, run, group):
        self.run, self.group, self.policy = run, group, group.autoscale
        self._changed = float("-inf")

    def begin(self):
        """Loads the standby and looks for the first time after one period."""
        for _ in range(self.policy.standby):
            self.run.lives.add(self.group, 0.0, 0.0, is_spare=True)
        self.run.every(self.policy.period, self._look, 0.0)

    def _look(self, now):
        run, policy = self.run, self.policy
        mine = [instance for instance in run.instances if instance.group is self.group]
        for instance in mine:
            if instance.serves:
                run.look(instance, now)
        # A death that nobody has noticed still looks like a replica.
        active = [i for i in mine if not i.is_spare and i.state in ("ready", "starting", "dead")]
        wanted = policy.wanted(len(active), self._signal(mine))
        if wanted > len(active) and now - self._changed >= policy.up_cooldown:
            self._grow(wanted - len(active), mine, now)
        elif wanted < len(active) and now - self._changed >= policy.down_cooldown:
            self._shrink(len(active) - wanted, active, now)
        run.every(policy.period, self._look, now)

    def _signal(self, mine):
        kind, gateway = self.policy.signal, self.run.gateway.waiting(self.group)
        serving = [instance for instance in mine if instance.serves]
        if kind == "waiting":
            return gateway + sum(instance.waiting for instance in serving)
        if kind == "requests":
            return gateway + sum(instance.load.requests for instance in serving)
        if kind == "tokens":
            return self.run.gateway.waiting_tokens(self.group) + sum(instance.load.tokens for instance in serving)
        return sum(instance.engine.kv_used / instance.engine.setup.kv_capacity_tokens for instance in serving)

    def _grow(self, count, mine, now):
        self._changed = now
        spares = sorted((i for i in mine if i.is_spare and i.state in ("standby", "starting")), key=lambda i: (i.state == "starting", i.ready_at))
        for instance in spares[:count]:
            self.run.lives.promote(instance, now)
            self.run.lives.start(self.group, now, is_spare=True)
        for _ in range(count - len(spares)):
            self.run.lives.start(self.group, now)

    def _shrink(self, count, active, now):
        self._changed = now
        # Those that have not started yet first, the newest of them; then those with the least to do.
        order = sorted((i for i in active if i.state != "dead"), key=lambda i: (i.state != "starting", i.load.requests, -i.number))
        for instance in order[:count]:
            self.run.lives.drain(instance, now)
