"""The event loop: one replica is `simulate`, and named invariants for every policy."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sim.service.design import Group, Service
from sim.service.loop import Run, simulate_fleet
from sim.service.record import REASONS
from sim.service.routers.load import FewestRequests, FewestTokens, PowerOfChoices
from sim.service.routers.plain import RandomChoice, RoundRobin

from sim import simulate
from tests.sim.cases import cases
from tests.sim.service.fleets import QWEN, ROUTERS, calls, services


@settings(max_examples=60, deadline=None, derandomize=True)
@given(cases(), st.sampled_from(ROUTERS[:-1]), st.booleans(), st.booleans())
def test_one_replica_is_simulate_to_the_bit(case, router, sampled, cached):
    setup, workload = case
    setup = replace(setup, prefix_cache=cached)
    workload = [replace(request, hashes=tuple(range(request.input_len // 512))) for request in workload]
    outcome = simulate_fleet(Service(Group(setup), router), workload, sample=0.3 if sampled and workload[-1].arrival < 50 else 0.0)
    alone = simulate(setup, workload=workload)
    assert [record[:7] for record in outcome.records] == [record[:7] for record in alone]
    assert [record[8:12] for record in outcome.records] == [record[8:] for record in alone]
    assert [record.token_times for record in outcome.records] == [record.token_times for record in alone]


@pytest.mark.parametrize("router", [FewestRequests(), FewestTokens()])
def test_the_least_loaded_replica_is_chosen_as_the_records_tell_afterwards(router):
    work = calls(Random(1), 300, gap=0.02)
    records = simulate_fleet(Service(Group(QWEN, 4), router), work).records
    weight = (lambda r: 1) if isinstance(router, FewestRequests) else (lambda r: r.input_len + r.output_len)
    for place, record in enumerate(records):
        loads = [0] * 4
        for other in records[:place]:
            if other.finish > record.arrival:
                loads[other.replica] += weight(other)
        assert loads[record.replica] == min(loads)


def run_of(case):
    service, work = case
    run = Run(service, work, 0.0)
    run.run()
    return run, run.outcome()


def check_records(service, outcome):
    for record in outcome.records:
        assert record.arrival <= record.scheduled <= record.first_token <= record.finish
        times = record.token_times
        assert len(times) == record.output_len
        assert times == sorted(times)
        assert times[0] == record.first_token
        assert times[-1] == pytest.approx(record.finish, rel=1e-12)
        assert record.retries <= (service.failures.retries if service.failures else 0)
        assert record.cached_tokens + record.loaded_tokens < record.input_len + len(record.earlier)


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(services())
def test_invariants_hold_for_every_policy(case):
    service, work = case
    run, outcome = run_of(case)
    # Conservation, with retries and rejections.
    assert len(outcome.records) + len(outcome.rejections) == len(work)
    gone = {rejection.number for rejection in outcome.rejections}
    assert len(gone) == len(outcome.rejections)
    assert [(r.arrival, r.input_len, r.output_len) for r in outcome.records] == [
        (w.arrival, w.input_len, w.output_len) for number, w in enumerate(work) if number not in gone]
    assert run.left == 0 and run.gateway.queued == 0
    assert {rejection.reason for rejection in outcome.rejections} <= set(REASONS)
    assert all(rejection.time >= rejection.arrival for rejection in outcome.rejections)
    check_records(service, outcome)
    # No replica serves while it starts, is dead, or has been given back; only groups that take a request serve it.
    for record in outcome.records:
        life, group = outcome.replicas[record.replica], service.groups[outcome.replicas[record.replica].group]
        assert group.role != "prefill" or record.output_len == 1
        assert group.takes(record) or record.retries or group.role == "decode"
        assert life.ready_at <= (record.scheduled if not record.last else record.last.scheduled)
        assert record.finish <= (life.died_at if life.died_at is not None else life.held_until) + 1e-9
    # What replicas think of themselves: nothing is left over on those that live, and memory adds up.
    for instance in run.instances:
        if instance.state in ("ready", "draining"):
            assert (instance.load.requests, instance.load.tokens, instance.load.prefill) == (0, 0, 0)
            assert instance.reserved == 0
            assert instance.engine.running == 0
        pool = getattr(instance.engine, "pool", None)
        if pool is not None:
            assert pool.free >= 0 and pool.free + pool.used + pool.idle == pool.total
    # Paid for what was held, no more.
    assert outcome.cost == pytest.approx(sum((life.held_until - life.held_from) * service.groups[life.group].gpus * 2.0 / 3600
                                             for life in outcome.replicas if life.held_until > life.held_from))
    for group, _ in enumerate(service.groups):
        scale = service.groups[group].autoscale
        lives = [life for life in outcome.replicas if life.group == group]
        if scale is None and service.failures is None and service.rollout is None:
            assert len(lives) == service.groups[group].replicas


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(services())
def test_the_same_seed_gives_the_same_outcome_and_samples_change_nothing(case):
    service, work = case
    first, second = simulate_fleet(service, work), simulate_fleet(service, work)
    assert first == second
    if service.failures is None or service.failures.mttf is None:
        sampled = simulate_fleet(service, work, sample=0.37)
        assert [r[:7] for r in sampled.records] == [r[:7] for r in first.records]
        assert sampled.rejections == first.rejections


@pytest.mark.parametrize("router", [RandomChoice(), PowerOfChoices()])
def test_another_seed_routes_otherwise(router):
    work = calls(Random(1), 50)
    one, two = (simulate_fleet(Service(Group(QWEN, 4), router, seed=seed), work) for seed in (0, 1))
    assert [r.replica for r in one.records] != [r.replica for r in two.records]


def test_round_robin_takes_turns():
    records = simulate_fleet(Service(Group(QWEN, 3), RoundRobin()), calls(Random(1), 30)).records
    assert [r.replica for r in records] == [n % 3 for n in range(30)]


def test_the_example_of_the_readme_runs(root, capsys):
    text = (root / "practice/sim/README.md").read_text(encoding="utf-8").partition("## A fleet of them")[2].partition("Everything is off")[0]
    exec("\n".join(line[4:] for line in text.splitlines() if line.startswith("    ")), {})
    share, reasons, cost = capsys.readouterr().out.split()
    assert 0.9 < float(share) < 1.0 and reasons == "{}" and float(cost) > 0
