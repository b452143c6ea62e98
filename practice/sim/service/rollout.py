"""A new version, deployed one replica at a time."""

from dataclasses import dataclass

from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True)
class Rollout:
    """Each replica in turn drains, leaves, and is replaced by one of the new version after a cold start."""

    time: float
    """When it begins."""
    pause: float = 0.0
    """Seconds between a new replica that is ready and the next one to drain."""
    dies_after: float | None = None
    """A bad version: its replicas die after serving for so long. Needs Service.failures."""
    halt_after: int | None = 1
    """Noticed deaths of new replicas after which no further ones are replaced; None goes through in any case.
    Replacements of the dead are of the old version from then on."""

    def __post_init__(self):
        check_number("time of the rollout", self.time, least=0)
        check_number("pause", self.pause, least=0)
        if self.dies_after is not None:
            check_number("dies_after", self.dies_after, above=0)
        if self.halt_after is not None:
            check_whole("halt_after", self.halt_after, least=1)


class Deployment:
    """A roll-out under way: one replica at a time is out of service."""

    def __init__(self, run, rollout: Rollout):
        self.run, self.rollout = run, rollout
        self._current = None  # the replica that drains or starts
        self._begun = False
        self._deaths = 0

    def begin(self):
        """Puts the first replacement on the agenda."""
        self.run.at(self.rollout.time, self._next)
        self.run.lives.on_ready.append(self._ready)
        self.run.lives.on_gone.append(self._gone)

    @property
    def is_halted(self) -> bool:
        """Whether too many of the new replicas have died."""
        return self.rollout.halt_after is not None and self._deaths >= self.rollout.halt_after

    def _next(self, now):
        self._begun = True
        if self._current is not None or self.is_halted or not self.run.is_active:
            return
        old = [i for i in self.run.instances if i.generation == 0 and i.state == "ready"]
        if old:
            self._current = old[0]
            self.run.lives.drain(old[0], now)

    def replaces(self, instance) -> bool:
        """Whether this replica, which has died, is the one being replaced anyway."""
        return instance is self._current

    def generation(self, instance) -> int:
        """The version of the replacement of a dead replica."""
        return instance.generation if not self.is_halted else 0

    def _gone(self, instance, now):
        if instance.generation == 1 and instance.died_at is not None:
            self._deaths += 1
        if instance is self._current and instance.generation == 0:
            self._current = self.run.lives.start(instance.group, now, generation=1, zone=instance.zone)
        elif instance is self._current:
            self._current = None
            self.run.at(now + self.rollout.pause, self._next)

    def _ready(self, instance, now):
        if instance.generation == 1 and self.rollout.dies_after is not None:
            self.run.at(now + self.rollout.dies_after, self.run.lives.die, instance)
        if instance is self._current:
            self._current = None
            self.run.at(now + self.rollout.pause, self._next)
