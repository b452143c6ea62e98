"""Setups and services that the tests of the fleet share."""

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st
from sim.service.autoscaling import Autoscale
from sim.service.call import Call
from sim.service.design import Group, Service
from sim.service.disaggregation import Disaggregation
from sim.service.failures import Death, Failures
from sim.service.lora import Lora
from sim.service.overload import Overload
from sim.service.rollout import Rollout
from sim.service.routers.adapter import AdapterAware
from sim.service.routers.load import FewestRequests, FewestTokens, PowerOfChoices
from sim.service.routers.plain import RandomChoice, RoundRobin
from sim.service.routers.predicted import PredictedTtft
from sim.service.routers.prefix import PrefixAware
from sim.service.routers.session import SessionAffinity
from sim.service.tiers import Tiers

from sim import Setup

QWEN = Setup(7.6e9, 15.2e9, 57344, int(55e9 / 57344))
ROUTERS = (RandomChoice(), RoundRobin(), FewestRequests(), FewestTokens(), PowerOfChoices(), PrefixAware(), PrefixAware(float("inf")),
           SessionAffinity(), SessionAffinity(float("inf")), AdapterAware(), PredictedTtft(), PredictedTtft(0.2))


@dataclass(frozen=True, repr=False)
class Instance(Setup):
    """A Setup that a failing test names in a line."""

    def __repr__(self):
        return f"<kv {self.kv_capacity_tokens}, seqs {self.max_num_seqs}, cache {self.prefix_cache}, {self.kv_policy}>"


class Calls(list):
    """A workload that a failing test names in a line."""

    def __repr__(self):
        return f"<{len(self)} calls up to {self[-1].arrival:g} s>"


def calls(rng, count, most_in=3000, most_out=200, gap=0.05):
    """Random calls with sessions, tenants, adapters and prefixes that they share."""
    now, made = 0.0, Calls()
    trunk = [rng.random() for _ in range(50)]
    for _ in range(count):
        now += rng.choice([0.0, rng.expovariate(1 / gap)])
        length = rng.randint(1, most_in)
        hashes = tuple(trunk[:rng.randint(0, length // 64)]) + tuple(rng.random() for _ in range(2))
        made.append(Call(now, length, rng.randint(1, most_out), rng.randint(0, 2), hashes, 64, session=rng.randrange(5), tenant=rng.randrange(3),
                         adapter=rng.choice([None, 0, 1, 2, 3, 4])))
    return made


@st.composite
def services(draw):
    """A service with any policies on, and calls for it."""
    rng = Random(draw(st.integers(0, 2**32)))
    pick = lambda *values: draw(st.sampled_from(values))
    work = calls(rng, pick(1, 5, 60), gap=pick(0.001, 0.05, 1.0))
    cache = pick(False, True)
    setup = Instance(7.6e9, 15.2e9, 57344, pick(3300, 20_000, 900_000), max_num_seqs=pick(2, 256), prefix_cache=cache, kv_policy=pick("reserve", "on_demand"))
    split = pick(False, False, True)
    scale = None
    if pick(False, True):
        scale = Autoscale(pick("waiting", "requests", "tokens", "kv_use"), pick(0.5, 3.0, 2000.0), 1, 5, period=pick(0.3, 2.0), down_cooldown=pick(0.0, 5.0),
                          standby=pick(0, 1))
    common = {"load_bandwidth": 100e9, "warm_up": pick(0.0, 1.0), "gpu_price": 2.0, "zones": pick(1, 2)}
    if split:
        groups = [Group(setup, pick(1, 2), "prefill", **common), Group(setup, pick(1, 3), "decode", **common)]
    elif pick(False, True):
        groups = [Group(setup, pick(1, 2), most_tokens=1000, autoscale=scale, **common), Group(setup, 1, least_tokens=1001, gpus=2, **common)]
    else:
        groups = [Group(setup, pick(1, 2, 4), autoscale=scale, **common)]
    deaths = tuple(Death(rng.uniform(0, work[-1].arrival + 1), *rng.choice([(0, None), (None, 0)])) for _ in range(pick(0, 1, 2)))
    failures = pick(None, Failures(deaths, health_period=0.2, health_count=2, retries=pick(0, 1, 5), resume=pick(False, True), replaces=pick(True, False),
                                   retry_budget=pick(None, 0.1), mttf=pick(None, 5.0)))
    concurrency = pick(None, 1, 8)
    overload = Overload(concurrency, order=pick("fcfs", "priority", "fair"), **({} if concurrency is None else {
        "queue_limit": pick(None, 3), "deadline": pick(None, 0.5)}), **pick({}, {"tenant_rate": 5000.0, "tenant_burst": 20_000.0}))
    return Service(
        groups, pick(*ROUTERS), router_delay=pick(0.0, 0.01), stale=pick(0.0, 0.0, 0.5),
        tiers=pick(None, Tiers(5000, shared_tokens=20_000)) if cache else None, failures=failures, overload=pick(None, overload),
        lora=pick(None, None, Lora(slots=2, host_slots=2, adapter_bytes=20e6)) if setup.kv_capacity_tokens > 3300 else None,
        disaggregation=Disaggregation(layers=pick(0, 28), reserve_decode=pick(False, True)) if split else None,
        rollout=pick(None, Rollout(0.2, dies_after=pick(None, 1.0) if failures else None)) if not split else None), work
