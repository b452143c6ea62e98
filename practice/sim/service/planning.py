"""plan: which fleet serves a workload under an SLO for the least money, with a replica to spare."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from practice.sim.service.autoscaling import Autoscale
from practice.sim.service.design import Group, Service
from practice.sim.service.failures import Death, Failures
from practice.sim.service.loop import simulate_fleet
from practice.sim.service.routers.load import FewestRequests
from practice.sim.setup import Setup
from practice.sim.wording import check_number, check_whole
from practice.sim.workload import Request


@dataclass(frozen=True)
class Candidate:
    """One kind of fleet; how many replicas it needs is what plan finds out."""

    name: str
    """For what people read."""
    setup: Setup | None
    """One replica; None where the model does not fit."""
    gpus: int = 1
    """GPUs of one replica."""
    gpu_price: float = 0.0
    """Per GPU-hour."""
    router: Any = field(default_factory=FewestRequests)
    """See practice.sim.service.routers."""
    autoscale: Autoscale | None = None
    """Lets the fleet follow the load; `maximum` is set to what the peak needs."""
    unfit: str = ""
    """Why the model does not fit, where it does not."""


@dataclass(frozen=True)
class Option:
    """What came out for one candidate."""

    candidate: Candidate
    """Which."""
    feasible: bool
    """Whether some number of replicas meets the SLO, and does so with the spares."""
    needed: int
    """Fewest replicas that meet the SLO; 0 where none do."""
    replicas: int
    """These and the spares."""
    gpus: int
    """Of all replicas."""
    cost_per_hour: float
    """Of all GPUs that are held; with autoscaling, the mean over the workload."""
    cost_per_million_output_tokens: float
    """Of the whole fleet."""
    metrics: dict
    """Outcome.summary of the fleet with its spares; {} where infeasible."""
    survives: float
    """slo_ok when one replica dies in the middle of the workload and is not replaced."""
    binds: str
    """What a fleet of one replica fewer runs into: memory, TPOT, TTFT, router; none where one replica is enough."""
    verify: tuple[str, ...] = ()
    """What a load test should look at before this is believed."""


@dataclass(frozen=True)
class Plan:
    """All options, the cheapest feasible one first."""

    options: tuple[Option, ...]
    """Feasible ones by cost, then the others."""

    @property
    def best(self) -> Option | None:
        """The cheapest that meets the SLO with its spares; None where nothing does."""
        return self.options[0] if self.options and self.options[0].feasible else None

    @property
    def front(self) -> tuple[Option, ...]:
        """Those for which no other is both cheaper and faster (P99 TTFT), by cost: the Pareto front."""
        front, fastest = [], float("inf")
        for option in sorted((o for o in self.options if o.feasible), key=_by_cost):
            if option.metrics["ttft_p99"] < fastest:
                fastest = option.metrics["ttft_p99"]
                front.append(option)
        return tuple(front)


def plan(workload: Sequence[Request], slo: Sequence[float], candidates: Iterable[Candidate], *, spares: int = 1, share: float = 0.99,
         most: int = 256, executor=None, progress: Callable[[int], None] | None = None) -> Plan:
    """The options of all candidates for a workload.

    slo: (TTFT, TPOT), seconds, that `share` of the requests must meet, rejected ones counted as missed. spares: replicas beyond those
    needed. most: replicas tried at most. executor: anything with the interface of concurrent.futures.Executor, which then
    evaluates the candidates. progress: called with the number of candidates done.
    Raises ValueError where there is no candidate, or a number makes no sense.
    """
    candidates = list(candidates)
    if not candidates:
        raise ValueError("candidates is empty, but at least one is needed")
    if not workload:
        raise ValueError("workload is empty, but at least one request is needed")
    for name, value in zip(("ttft", "tpot"), slo, strict=True):
        check_number(name, value, above=0)
    check_whole("spares", spares, least=0)
    check_whole("most", most, least=1)
    check_number("share", share, above=0, most=1)
    tasks = [(candidate, workload, tuple(slo), spares, share, most) for candidate in candidates]
    if executor is None:
        results = (evaluate(*task) for task in tasks)
    else:
        results = (future.result() for future in [executor.submit(evaluate, *task) for task in tasks])
    options = []
    for option in results:
        options.append(option)
        if progress:
            progress(len(options))
    return Plan(tuple(sorted(options, key=lambda o: (not o.feasible, _by_cost(o)))))


def evaluate(candidate: Candidate, workload: Sequence[Request], slo: tuple, spares: int, share: float, most: int) -> Option:
    """The Option of one candidate: the fewest replicas by doubling and bisection, then the fleet with its spares."""
    if candidate.setup is None:
        return _infeasible(candidate, "memory", candidate.unfit)
    largest = max(request.input_len + request.output_len for request in workload)
    if largest > candidate.setup.kv_capacity_tokens:
        return _infeasible(candidate, "memory", f"the longest request has {largest} tokens, and the KV cache holds {candidate.setup.kv_capacity_tokens}")
    tried = {}

    def meets(replicas):
        if replicas not in tried:
            tried[replicas] = _run(candidate, workload, replicas)
        return tried[replicas].summary(*slo)["slo_ok"] >= share

    # More replicas than requests change nothing.
    most = min(most, len(workload))
    high = 1
    while not meets(high):
        if high == most:
            return _infeasible(candidate, _binding(tried[high], slo), f"{high} replicas do not meet the SLO")
        high = min(2 * high, most)
    low = high // 2 if high > 1 else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    binds = _binding(tried[high - 1], slo) if high - 1 in tried else "none"
    if high > 1 and high - 1 not in tried:
        binds = _binding(_run(candidate, workload, high - 1), slo)
    return _option(candidate, workload, slo, share, high, high + spares, binds)


def _option(candidate, workload, slo, share, needed, replicas, binds):
    outcome = _run(candidate, workload, replicas, candidate.autoscale)
    metrics = outcome.summary(*slo)
    death = Failures((Death(workload[len(workload) // 2].arrival, replica=0),), replaces=False)
    survives = _run(candidate, workload, replicas, None, death).summary(*slo)["slo_ok"] if replicas > 1 else 0.0
    feasible = metrics["slo_ok"] >= share
    return Option(candidate, feasible, needed, replicas, replicas * candidate.gpus, metrics["cost_per_hour"], metrics["cost_per_million_output_tokens"],
                  metrics, survives, binds, _to_verify(candidate, metrics, slo, replicas, survives, share))


def _by_cost(option):
    """Cheaper, then faster. To a millionth of a dollar: the last digits of a sum must not order two equal prices."""
    return round(option.cost_per_hour, 6), option.metrics.get("ttft_p99", 0.0)


def _infeasible(candidate, binds, why):
    return Option(candidate, False, 0, 0, 0, 0.0, 0.0, {}, 0.0, binds, (why,))


def _run(candidate, workload, replicas, autoscale=None, failures=None):
    if autoscale is not None:
        autoscale = replace(autoscale, maximum=max(replicas, autoscale.minimum))
        replicas = max(replicas, autoscale.minimum)
    group = Group(candidate.setup, replicas, gpus=candidate.gpus, gpu_price=candidate.gpu_price, autoscale=autoscale)
    return simulate_fleet(Service(group, candidate.router, failures=failures), workload)


def _binding(outcome, slo):
    """What most of the requests run into that miss the SLO."""
    late = [record for record in outcome.records if record.ttft > slo[0]]
    slow = [record for record in outcome.records if record.tpot > slo[1]]
    if len(slow) > len(late):
        return "TPOT"
    tokens = [0] * len(outcome.replicas)
    for record in outcome.records:
        tokens[record.replica] += record.input_len + record.output_len
    missed = {record.replica for record in late}
    if len(tokens) > 1 and len(missed) <= len(tokens) / 2 and max(tokens) > 1.1 * sum(tokens) / len(tokens):
        return "router"
    return "memory" if late and _is_full(outcome, late) else "TTFT"


def _is_full(outcome, late):
    """Whether most late requests waited for room: the requests running as they were admitted leave none for another."""
    full = 0
    by_replica = {}
    for record in outcome.records:
        by_replica.setdefault(record.replica, []).append(record)
    sampled = late[::max(1, len(late) // 50)]
    for record in sampled:
        middle = (record.arrival + record.scheduled) / 2
        held = sum(other.input_len + other.output_len for other in by_replica[record.replica] if other.scheduled <= middle < other.finish)
        full += held + record.input_len + record.output_len > record.timeline.setup.kv_capacity_tokens
    return full > len(sampled) / 2


def _to_verify(candidate, metrics, slo, replicas, survives, share):
    setup, words = candidate.setup, []
    per_replica = metrics["requests"] / metrics["duration"] / replicas
    words.append(f"one replica at {per_replica:.2f} req/s: TPOT P99 {metrics['tpot_p99'] * 1e3:.1f} ms is a roofline at mfu {setup.mfu:g} and mbu {setup.mbu:g}; "
                 "fit both with `judge.py calibrate`")
    if metrics["ttft_p99"] > 0.7 * slo[0] or metrics["tpot_p99"] > 0.7 * slo[1]:
        words.append(f"the margin: TTFT P99 is {metrics['ttft_p99'] / slo[0]:.0%} of the SLO, TPOT P99 {metrics['tpot_p99'] / slo[1]:.0%}")
    if metrics["hit_rate"] > 0.05:
        words.append(f"the prefix hit rate of {metrics['hit_rate']:.0%}: it depends on this workload's prefixes and on the router")
    if candidate.autoscale:
        words.append("cold starts: time one from nothing to the first token, and replay the steepest rise")
    if replicas > 1:
        words.append(f"a death in mid-traffic: the simulated fleet keeps {survives:.1%} within the SLO" + ("" if survives >= share else ", which is too little"))
    return tuple(words)

