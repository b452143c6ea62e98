"""Replicas that die with work in flight, and what becomes of that work."""

from dataclasses import dataclass
from math import ceil

from practice.sim.wording import check_number, check_whole


@dataclass(frozen=True)
class Death:
    """One event that kills."""

    time: float
    """Seconds."""
    replica: int | None = None
    """This replica, by number."""
    zone: int | None = None
    """All replicas of this rack or zone, at once; of all groups."""

    def __post_init__(self):
        check_number("time of a death", self.time, least=0)
        if (self.replica is None) == (self.zone is None):
            raise ValueError(f"a death names replica {self.replica!r} and zone {self.zone!r}, but it must name exactly one")


@dataclass(frozen=True)
class Failures:
    """Deaths, how they are noticed, and retries.

    A dead replica takes no steps but is sent requests until health checks notice. Then everything on it is lost, its
    requests are sent again, and a replacement begins its cold start.
    """

    deaths: tuple[Death, ...] = ()
    """At given times."""
    mttf: float | None = None
    """Mean seconds a replica serves before it dies by itself, exponential."""
    health_period: float = 1.0
    """Seconds between health checks, at multiples of it."""
    health_count: int = 3
    """Failed checks after which a replica is taken out."""
    replaces: bool = True
    """Whether a replacement is started."""
    retries: int = 1
    """How often one request may be sent again."""
    retry_budget: float | None = None
    """Retries of all requests together, as a share of those arrived so far; None is no limit."""
    resume: bool = False
    """Send the tokens already streamed along as prompt and go on from there, instead of starting again."""

    def __post_init__(self):
        check_number("health_period", self.health_period, above=0)
        check_whole("health_count", self.health_count, least=1)
        check_whole("retries", self.retries, least=0)
        if self.mttf is not None:
            check_number("mttf", self.mttf, above=0)
        if self.retry_budget is not None:
            check_number("retry_budget", self.retry_budget, least=0)

    def noticed(self, time: float) -> float:
        """When a death at `time` is noticed: at the health_count-th check after it.

        Example: checks every second, three of them: a death at 10.2 is noticed at 13.0, 2.8 s later.
        """
        return (ceil(time / self.health_period + 1e-12) + self.health_count - 1) * self.health_period


class RetryBudget:
    """Counts retries against arrivals."""

    def __init__(self, share: float | None):
        self._share = share
        self.arrived = self.retried = 0

    def take(self) -> bool:
        """Whether one more retry is allowed, which is then counted."""
        if self._share is not None and self.retried + 1 > self._share * self.arrived:
            return False
        self.retried += 1
        return True
