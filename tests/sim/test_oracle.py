"""Both engines against the token-by-token oracle."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.engine import FastReplica
from sim.simulation import make_replica

from sim import Request, Setup, simulate
from tests.sim import oracle
from tests.sim.cases import cases, run

QWEN = Setup(7.6e9, 15.2e9, 57344, int(55e9 / 57344))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(cases())
def test_exact_engine_equals_the_oracle_bit_for_bit_and_closed_to_1e_9(case):
    setup, workload = case
    expected = [oracle.Sequence(r.arrival, r.input_len, r.output_len) for r in workload]
    steps = oracle.serve(setup, expected)
    exact, closed = run(setup, workload, "exact"), run(setup, workload, "closed")
    assert exact.step == closed.step == steps
    for want, got, near in zip(expected, exact.records(), closed.records(), strict=True):
        assert got.token_times == want.token_times
        assert (got.scheduled, got.first_token, got.finish) == (want.scheduled, want.first_token, want.finish)
        assert near.token_times == pytest.approx(want.token_times, rel=1e-9)
        assert near.scheduled == pytest.approx(want.scheduled, rel=1e-9)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(cases(), st.integers(0, 2**32))
def test_results_do_not_depend_on_where_the_clock_is_stopped(case, seed):
    setup, workload = case
    whole = run(setup, workload, "closed")
    rng, chopped = Random(seed), FastReplica(setup)
    for request in workload:
        if rng.random() < 0.5:
            chopped.advance(rng.uniform(chopped.clock, max(chopped.clock, request.arrival)))
        chopped.advance(request.arrival)
        chopped.submit([request])
    while chopped.next_event() < float("inf"):
        before = chopped.step
        chopped.advance(chopped.next_event())
        assert chopped.step > before
    assert chopped.records() == whole.records()
    assert chopped.step == whole.step


@settings(max_examples=40, deadline=None, derandomize=True)
@given(cases(), st.lists(st.floats(0, 50), max_size=8))
def test_conservation_clock_and_kv_hold_at_every_stop(case, stops):
    setup, workload = case
    replica = FastReplica(setup)
    replica.submit(workload)
    clock = 0.0
    for stop in (*sorted(stops), float("inf")):
        replica.advance(stop)
        assert replica.clock >= clock
        clock = replica.clock
        waiting = len(workload) - replica.head
        assert len(replica.finished) + replica.running + waiting == len(workload)
        held = [r for n, r in enumerate(workload) if n < replica.head and n not in replica.finished]
        assert replica.kv_used == sum(r.input_len + r.output_len for r in held) <= setup.kv_capacity_tokens
    assert replica.running == replica.kv_used == replica.decoding == 0


@settings(max_examples=40, deadline=None, derandomize=True)
@given(cases())
def test_times_of_a_request_are_in_causal_order(case):
    setup, workload = case
    for record, request in zip(simulate(setup, workload=workload), workload, strict=True):
        assert request.arrival == record.arrival <= record.scheduled < record.first_token <= record.finish
        times = record.token_times
        assert len(times) == record.output_len
        assert times[0] == record.first_token
        assert times[-1] == record.finish
        assert all(a < b for a, b in zip(times, times[1:]))


def test_poisson_arrivals_are_those_of_random_random():
    expected = oracle.poisson(10, 50, 1024, 256, seed=3)
    assert [r.arrival for r in simulate(QWEN, 10, 50, 1024, 256, seed=3)] == [s.arrival for s in expected]


def test_one_request_alone_is_a_sum_of_roofline_steps():
    setup = Setup(7.6e9, 15.2e9, 57344, 100_000, max_num_batched_tokens=1000)
    record, = simulate(setup, workload=[Request(2.5, 2500, 3)])
    now, ends = 2.5, []
    for tokens, context in ((1000, 0), (1000, 1000), (500, 2000), (1, 2501), (1, 2502)):
        now += max(2 * 7.6e9 * tokens / (989e12 * 0.5), (15.2e9 + 57344 * context) / 3.35e12) + 0.5e-3
        ends.append(now)
    assert record.token_times == pytest.approx(ends[2:], rel=1e-12)


def test_one_sequence_at_a_time_waits_like_an_m_d_1_queue():
    setup = Setup(1e9, 2e9, 1e-9, 10_000, max_num_seqs=1)
    service = simulate(setup, workload=[Request(0.0, 100, 10)])[0].finish
    load = 0.7
    records = simulate(setup, load / service, 20_000, 100, 10, seed=1)
    # A step under way does not delay the queue here, since only the one running request decodes in it.
    waiting = sum(r.queueing for r in records) / len(records)
    assert waiting == pytest.approx(load * service / (2 * (1 - load)), rel=0.06)


def test_littles_law_holds_between_arrivals_and_time_in_system():
    records = simulate(QWEN, 15, 3000, 1024, 256)
    end = max(r.finish for r in records)
    events = sorted([(r.arrival, 1) for r in records] + [(r.finish, -1) for r in records])
    area = inside = before = 0.0
    for time, change in events:
        area += inside * (time - before)
        inside, before = inside + change, time
    rate, latency = len(records) / end, sum(r.e2e for r in records) / len(records)
    assert area / end == pytest.approx(rate * latency, rel=1e-9)


def test_same_seed_gives_the_same_records():
    assert simulate(QWEN, 10, 200, 1024, 256, seed=5) == simulate(QWEN, 10, 200, 1024, 256, seed=5)
    assert simulate(QWEN, 10, 200, 1024, 256, seed=5) != simulate(QWEN, 10, 200, 1024, 256, seed=6)


def test_make_replica_gives_the_fast_engine_for_default_settings():
    assert isinstance(make_replica(QWEN), FastReplica)
