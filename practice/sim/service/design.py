"""What a service is: groups of equal replicas behind a router, and the policies around them, each off by default."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from practice.sim.service.autoscaling import Autoscale
from practice.sim.service.disaggregation import Disaggregation
from practice.sim.service.failures import Failures
from practice.sim.service.lora import Lora
from practice.sim.service.overload import Overload
from practice.sim.service.rollout import Rollout
from practice.sim.service.routers.load import FewestRequests, FewestTokens
from practice.sim.service.tiers import Tiers
from practice.sim.setup import Setup
from practice.sim.wording import check_choice, check_number, check_whole

ROLES = ("both", "prefill", "decode")


@dataclass(frozen=True)
class Group:
    """Equal replicas, and the requests they take. Several groups make pools, or a fleet of mixed GPUs."""

    setup: Setup
    """One replica."""
    replicas: int = 1
    """How many there are at the start, ready at time 0."""
    role: str = "both"
    """both, or with PD disaggregation: prefill, decode."""
    least_tokens: int = 0
    """Takes requests of at least so many prompt tokens: a long-context pool."""
    most_tokens: float = inf
    """Takes requests of at most so many prompt tokens."""
    priorities: tuple[int, ...] = ()
    """Takes requests of these priorities; () is all."""
    gpus: int = 1
    """GPUs of one replica."""
    gpu_price: float = 0.0
    """Per GPU-hour."""
    zones: int = 1
    """Racks or zones that its replicas are dealt to in turn."""
    load_bandwidth: float = 7e9
    """Bytes/s at which a starting replica loads its weights; 7e9 is a local NVMe."""
    warm_up: float = 30.0
    """Further seconds of a cold start: process, compilation, graph capture."""
    autoscale: Autoscale | None = None
    """How its size follows the load; None keeps it."""
    name: str = ""
    """For what people read."""

    def __post_init__(self):
        check_choice("role", self.role, ROLES)
        check_whole("replicas", self.replicas, least=1)
        check_whole("gpus", self.gpus, least=1)
        check_whole("zones", self.zones, least=1)
        check_number("gpu_price", self.gpu_price, least=0)
        check_number("load_bandwidth", self.load_bandwidth, above=0)
        check_number("warm_up", self.warm_up, least=0)
        check_whole("least_tokens", self.least_tokens, least=0)
        if not self.most_tokens >= self.least_tokens:
            raise ValueError(f"most_tokens is {self.most_tokens!r}, below least_tokens, {self.least_tokens}: the group takes no request")
        if self.autoscale and not self.autoscale.minimum <= self.replicas <= self.autoscale.maximum:
            raise ValueError(f"replicas is {self.replicas}, but autoscale keeps it from {self.autoscale.minimum} to {self.autoscale.maximum}")

    @property
    def cold_start(self) -> float:
        """Seconds from asking for a replica to its first request: weights over load_bandwidth, and warm_up."""
        return self.setup.weight_bytes / self.load_bandwidth + self.warm_up

    @property
    def takes_all(self) -> bool:
        """Whether it takes every request."""
        return self.least_tokens == 0 and self.most_tokens == inf and not self.priorities

    def takes(self, request) -> bool:
        """Whether it takes this request."""
        return (self.least_tokens <= request.input_len <= self.most_tokens
                and (not self.priorities or request.priority in self.priorities))


@dataclass(frozen=True)
class Service:
    """A fleet. Service(Group(setup, 16)) with all else left out is 16 replicas, the next request to the least loaded."""

    groups: Group | Sequence[Group]
    """One or more."""
    router: Any = field(default_factory=FewestRequests)
    """Who gets a request; see practice.sim.service.routers."""
    router_delay: float = 0.0
    """Seconds between the router's choice and the replica."""
    stale: float = 0.0
    """The loads that the router sees are those of the last multiple of so many seconds; 0 is now."""
    tiers: Tiers | None = None
    """Host memory and a shared pool behind the prefix caches (which setup.prefix_cache turns on)."""
    failures: Failures | None = None
    """Which replicas die when, and what becomes of their requests."""
    overload: Overload | None = None
    """What the gateway holds back or turns away."""
    lora: Lora | None = None
    """Adapters and where they are kept."""
    disaggregation: Disaggregation | None = None
    """How KV gets from groups of the role prefill to groups of the role decode."""
    decode_router: Any = field(default_factory=FewestTokens)
    """Who decodes, with PD disaggregation."""
    rollout: Rollout | None = None
    """A new version, deployed one replica at a time."""
    seed: int = 0
    """Of everything that policies draw."""

    def __post_init__(self):
        groups = (self.groups,) if isinstance(self.groups, Group) else tuple(self.groups)
        object.__setattr__(self, "groups", groups)
        if not groups:
            raise ValueError("groups is empty, but a service needs at least one")
        check_number("router_delay", self.router_delay, least=0)
        check_number("stale", self.stale, least=0)
        roles = {group.role for group in groups}
        if "both" in roles and len(roles) > 1 or len(roles) == 1 and "both" not in roles:
            raise ValueError(f"the groups have the roles {', '.join(sorted(roles))}, but they are either all both, or prefill and decode")
        if (self.disaggregation is not None) != (roles == {"prefill", "decode"}):
            raise ValueError("disaggregation and the roles prefill and decode belong together: give both, or neither")
        if self.tiers and not any(group.setup.prefix_cache for group in groups):
            raise ValueError("tiers are given, but no group's setup has prefix_cache on, so nothing ever gets there")
        if self.rollout and self.rollout.dies_after is not None and not self.failures:
            raise ValueError(f"the rollout's replicas die after {self.rollout.dies_after:g} s, but failures says nothing of noticing and retrying: "
                             "give Failures()")
        if self.rollout and self.disaggregation:
            raise ValueError("rollout and disaggregation are both given, but a roll-out goes through groups of the role both only")
