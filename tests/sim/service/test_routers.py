"""Routers, against closed forms and against what they promise."""

import os
from dataclasses import replace
from math import ceil, factorial, inf
from pathlib import Path
from random import Random

import pytest
from sim.arrivals import workload
from sim.lengths import fixed
from sim.service.call import Sessions, with_adapters
from sim.service.design import Group, Service
from sim.service.loop import simulate_fleet
from sim.service.lora import Lora
from sim.service.overload import Overload
from sim.service.routers.adapter import AdapterAware
from sim.service.routers.load import FewestRequests, FewestTokens, PowerOfChoices
from sim.service.routers.named import ROUTERS
from sim.service.routers.plain import RandomChoice, RoundRobin
from sim.service.routers.predicted import PredictedTtft
from sim.service.routers.prefix import PrefixAware
from sim.service.routers.session import SessionAffinity
from sim.trace import read_trace, reuse
from sim.workload import poisson_arrivals

from sim import Setup, percentile
from tests.sim.service.fleets import QWEN

# One sequence at a time, and a step takes 10 ms whatever it holds: a request of n output tokens is served for n * 10 ms.
SERVER = Setup(1.0, 1.0, 1.0, 10_000_000, bandwidth=1e18, step_overhead=10e-3, max_num_seqs=1)


def erlang_c(servers, load):
    """Probability of waiting in M/M/c with `load` Erlangs offered."""
    last = load**servers / factorial(servers) * servers / (servers - load)
    return last / (sum(load**k / factorial(k) for k in range(servers)) + last)


def mean_wait(work, servers, router, one_queue):
    """Mean seconds from arrival to the start of service, the first tenth of the requests cut off."""
    overload = Overload(concurrency=1) if one_queue else None
    records = simulate_fleet(Service(Group(SERVER, servers), router, overload=overload), work).records
    kept = records[len(records) // 10:]
    return sum(record.scheduled - record.arrival for record in kept) / len(kept)


def test_waiting_of_m_m_c_with_one_queue_at_the_gateway():
    servers, rate = 4, 28.0
    rng = Random(0)
    # Exponential service in whole steps, rounded up.
    work = workload(poisson_arrivals(rate, 12_000, 1), fixed(1), lambda _: max(1, ceil(rng.expovariate(1 / 10))))
    service = sum(request.output_len for request in work) / len(work) * 0.01
    load = rate * service
    expected = erlang_c(servers, load) * service / (servers - load)
    assert mean_wait(work, servers, FewestRequests(), True) == pytest.approx(expected, rel=0.12)


def test_waiting_of_m_d_c_with_one_queue_at_the_gateway():
    servers, rate, service = 4, 28.0, 0.1
    work = workload(poisson_arrivals(rate, 12_000, 2), fixed(1), fixed(10))
    load = rate * service
    exponential = erlang_c(servers, load) * service / (servers - load)
    # Cosmetatos' approximation of M/D/c, right to about 1% here.
    share = load / servers
    expected = exponential / 2 * (1 + (1 - share) * (servers - 1) * ((4 + 5 * servers) ** 0.5 - 2) / (16 * share * servers))
    assert mean_wait(work, servers, FewestRequests(), True) == pytest.approx(expected, rel=0.1)


def test_a_random_router_makes_c_queues_of_m_d_1():
    work = workload(poisson_arrivals(28.0, 12_000, 3), fixed(1), fixed(10))
    share = 0.7
    assert mean_wait(work, 4, RandomChoice(), False) == pytest.approx(share * 0.1 / (2 * (1 - share)), rel=0.12)


def test_two_random_choices_beat_one_and_the_shortest_queue_beats_two():
    rng = Random(5)
    work = workload(poisson_arrivals(90.0, 6_000, 4), fixed(1), lambda _: max(1, round(rng.expovariate(1 / 10))))
    waits = [mean_wait(work, 10, router, False) for router in (PowerOfChoices(1), PowerOfChoices(2), FewestRequests())]
    assert waits[0] > 2 * waits[1] > 2 * waits[2]


def test_stale_loads_make_the_shortest_queue_worse_than_two_choices():
    work = workload(poisson_arrivals(80.0, 4000, 4), fixed(1), fixed(10))
    late = {}
    for name, router in (("shortest", FewestRequests()), ("two", PowerOfChoices(2))):
        records = simulate_fleet(Service(Group(SERVER, 10), router, stale=2.0), work).records
        late[name] = percentile([record.queueing for record in records], 99)
    fresh = percentile([r.queueing for r in simulate_fleet(Service(Group(SERVER, 10), FewestRequests()), work).records], 99)
    assert late["shortest"] > 1.5 * late["two"]
    assert late["two"] > fresh


def test_fewest_tokens_spares_those_behind_a_long_prompt():
    rng = Random(3)
    work = workload(poisson_arrivals(40, 3000, 1), lambda _: 40_000 if rng.random() < 0.02 else 500, fixed(20))
    ttft = {router: percentile([r.ttft for r in simulate_fleet(Service(Group(QWEN, 4), router), work).records], 90) for router in (RoundRobin(), FewestTokens())}
    assert ttft[FewestTokens()] < 0.5 * ttft[RoundRobin()]


HUGE = replace(QWEN, prefix_cache=True, kv_capacity_tokens=10**10, peak_flops=1e21, bandwidth=1e18, max_num_seqs=10**6)


def hit_rate(work, router, setup=HUGE, replicas=8):
    return simulate_fleet(Service(Group(setup, replicas), router), work).hit_rate


def test_prefix_aware_without_a_load_limit_reaches_the_infinite_cache_of_the_sample():
    work = read_trace("mooncake-conversation")
    assert hit_rate(work, PrefixAware(inf)) == pytest.approx(reuse(work), abs=0.0005)
    assert hit_rate(work, RoundRobin()) < 0.5 * reuse(work)


@pytest.mark.slow
def test_prefix_aware_without_a_load_limit_reaches_36_6_percent_on_the_mooncake_conversation_trace():
    folder = os.environ.get("PRACTICE_TRACES")
    if not folder:
        pytest.skip("PRACTICE_TRACES does not name a folder with mooncake_conversation_trace.jsonl")
    work = read_trace(Path(folder) / "mooncake_conversation_trace.jsonl")
    # The published figure counts blocks, the last and partly filled one of a prompt too.
    blocks = sum(len(request.hashes) for request in work)
    records = simulate_fleet(Service(Group(HUGE, 8), PrefixAware(inf)), work).records
    assert f"{sum(record.cached_tokens / 512 for record in records) / blocks:.1%}" == "36.6%"
    assert sum(record.cached_tokens for record in records) / sum(r.input_len for r in work) == pytest.approx(reuse(work), abs=0.0005)


def test_prefix_aware_with_a_load_limit_stays_near_the_mean():
    work = Sessions(20, 200, turns=4, think=1.0, system_prompts=1, system_len=2048, seed=2).calls()
    setup = replace(QWEN, prefix_cache=True)
    free, bound = (simulate_fleet(Service(Group(setup, 4), PrefixAware(limit)), work) for limit in (inf, 1.25))
    busiest = [max(life.served for life in outcome.replicas) / len(work) for outcome in (free, bound)]
    assert busiest[0] > 0.9, "one system prompt draws everything to one replica"
    assert busiest[1] < 0.4
    assert bound.hit_rate > 0.5


def test_a_session_stays_on_its_replica_and_moves_only_with_it():
    work = Sessions(5, 60, turns=4, think=2.0, seed=1).calls()
    sessions = {}
    for call, record in zip(work, simulate_fleet(Service(Group(QWEN, 4), SessionAffinity(inf)), work).records):
        sessions.setdefault(call.session, set()).add(record.replica)
    assert {len(replicas) for replicas in sessions.values()} == {1}
    assert {replica for replicas in sessions.values() for replica in replicas} == {0, 1, 2, 3}
    five = simulate_fleet(Service(Group(QWEN, 5), SessionAffinity(inf)), work).records
    moved = [call.session for call, record in zip(work, five) if {record.replica} != sessions[call.session]]
    assert {record.replica for call, record in zip(work, five) if call.session in moved} == {4}, "only to the new replica"


def test_session_affinity_with_bounded_load_keeps_every_replica_under_its_bound():
    work = [replace(call, session=call.session % 2) for call in Sessions(10, 100, turns=4, think=1.0, seed=1).calls()]
    records = simulate_fleet(Service(Group(QWEN, 4), SessionAffinity(1.25)), work).records
    for place, record in enumerate(records):
        loads = [0] * 4
        for other in records[:place]:
            loads[other.replica] += other.finish > record.arrival
        assert loads[record.replica] + 1 <= -(-1.25 * (sum(loads) + 1) // 4)


def test_adapter_aware_loads_fewer_adapters():
    work = with_adapters(workload(poisson_arrivals(20, 1000, 1), fixed(200), fixed(50)), 60, 1.0)
    setup = replace(QWEN, kv_capacity_tokens=500_000)
    ttft = {}
    for name, router in (("aware", AdapterAware()), ("blind", FewestRequests())):
        records = simulate_fleet(Service(Group(setup, 4), router, lora=Lora(slots=8, host_slots=16)), work).records
        ttft[name] = sum(r.ttft for r in records) / len(records)
    assert ttft["aware"] < 0.7 * ttft["blind"]


def test_predicted_ttft_turns_away_what_would_be_late():
    work = workload(poisson_arrivals(60, 1500, 1), fixed(1024), fixed(32))
    plain = simulate_fleet(Service(Group(QWEN), PredictedTtft()), work)
    early = simulate_fleet(Service(Group(QWEN), PredictedTtft(0.5)), work)
    assert plain.summary(1.0, 0.1)["goodput"] < 0.5 * early.summary(1.0, 0.1)["goodput"]
    assert set(early.reasons()) == {"predicted TTFT"}
    assert percentile([record.ttft for record in early.records], 99) < 0.75


@pytest.mark.parametrize("name", ROUTERS)
def test_every_named_router_serves_everything(name):
    work = workload(poisson_arrivals(40, 200, 1), fixed(300), fixed(30))
    assert len(simulate_fleet(Service(Group(QWEN, 3), ROUTERS[name]), work).records) == 200
