"""Routers by the names that files and flags use."""

from math import inf

from practice.sim.service.routers.adapter import AdapterAware
from practice.sim.service.routers.load import FewestRequests, FewestTokens, PowerOfChoices
from practice.sim.service.routers.plain import RandomChoice, RoundRobin
from practice.sim.service.routers.predicted import PredictedTtft
from practice.sim.service.routers.prefix import PrefixAware
from practice.sim.service.routers.session import SessionAffinity
from practice.sim.wording import check_choice

ROUTERS = {
    "random": RandomChoice(),
    "round-robin": RoundRobin(),
    "fewest-requests": FewestRequests(),
    "fewest-tokens": FewestTokens(),
    "two-choices": PowerOfChoices(2),
    "prefix-aware": PrefixAware(),
    "prefix-only": PrefixAware(inf),
    "session": SessionAffinity(),
    "adapter-aware": AdapterAware(),
    "predicted-ttft": PredictedTtft(),
}


def router_named(name: str):
    """The router of this name. Raises ValueError that lists the names."""
    check_choice("router", name, tuple(ROUTERS))
    return ROUTERS[name]
