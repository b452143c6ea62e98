"""The engine of all settings: equal to the fast one by default, and named invariants for every setting."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.realistic import RealisticReplica

from sim import Setup
from tests.sim.cases import cases, run
from tests.sim.full_oracle import Server

QWEN = Setup(7.6e9, 15.2e9, 57344, int(55e9 / 57344))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(cases(), st.sampled_from(["exact", "closed"]))
def test_all_settings_engine_equals_the_fast_one_by_default(case, engine):
    setup, workload = case
    fast, full = run(setup, workload, engine), run(setup, workload, engine, RealisticReplica)
    assert full.records() == fast.records()
    assert full.step == fast.step


@st.composite
def settings_of_all_kinds(draw):
    """A setup with any settings on, and a workload for it."""
    setup, workload = draw(cases())
    rng = Random(draw(st.integers(0, 2**32)))
    largest = max(r.input_len + r.output_len for r in workload)
    pick = lambda *values: draw(st.sampled_from(values))
    setup = replace(
        setup, attention_flops=pick(0.0, 1e6), overhead_per_seq=pick(0.0, 1e-4), comm_latency=pick(0.0, 1e-3),
        comm_bytes_per_token=pick(0.0, 1e6), experts=pick(0, 64), experts_per_token=4, expert_bytes=setup.weight_bytes / 2,
        draft_tokens=pick(0, 3), acceptance=pick(0.0, 0.7), draft_cost=pick(0.0, 0.1), schedule=pick("chunked", "prefill_first", "decode_first"),
        order=pick("fcfs", "priority", "shortest"), kv_policy=pick("reserve", "on_demand"), prefix_cache=pick(False, True),
        kv_capacity_tokens=largest + 50 + pick(0, largest, 50 * largest), mbu=pick(1.0, 0.8))
    trunk = [rng.random() for _ in range(400)]
    return setup, [
        replace(r, priority=rng.randint(0, 2), hash_block=16,
                hashes=tuple(trunk[:rng.randint(0, r.input_len // 16)]) + tuple(rng.random() for _ in range(3)))
        for r in workload
    ]


@st.composite
def shortages(draw):
    """A burst whose answers outgrow the KV cache, so that blocks on demand must preempt."""
    setup, workload = draw(settings_of_all_kinds())
    rng = Random(draw(st.integers(0, 2**32)))
    workload = [replace(r, arrival=0.0, input_len=rng.randint(1, 60), output_len=rng.randint(1, 150), hashes=r.hashes[:1]) for r in workload] * 2
    largest = max(r.input_len + r.output_len for r in workload)
    return replace(setup, kv_policy="on_demand", max_num_seqs=max(4, setup.max_num_seqs), schedule=rng.choice(["chunked", "prefill_first"]),
                   kv_capacity_tokens=largest + rng.choice([20, 100, 300]), watermark=rng.choice([0.0, 0.01])), workload


@pytest.mark.slow
@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.one_of(settings_of_all_kinds(), shortages()), st.integers(0, 2**32))
def test_invariants_hold_for_every_setting_wherever_the_clock_stops(case, seed):
    setup, workload = case
    replica, rng, clock = RealisticReplica(setup), Random(seed), 0.0
    replica.submit(workload)
    while replica.next_event() < float("inf"):
        before = replica.clock, replica.step, len(replica.finished)
        replica.advance(max(replica.next_event(), replica.clock + rng.choice([0.0, 0.01, 1.0])))
        pool = replica.pool
        assert (replica.clock, replica.step, len(replica.finished)) != before, "an event that changes nothing never ends"
        assert replica.clock >= clock
        clock = replica.clock
        assert pool.free >= 0 and pool.used >= 0 and pool.idle >= 0
        assert pool.free + pool.used + pool.idle == pool.total
        lives = replica._running.values()
        shared = {key for live in lives for chain, depth in live.shared.items() for key in chain.keys[:depth]}
        assert pool.used == sum(live.held for live in lives) + len(shared) * pool.block
        assert pool.idle == sum(chain.size - chain.used for chain in pool._chains.values()) * pool.block
        assert {key for chain in pool._chains.values() for key in chain.keys[:chain.used]} == shared
        assert len(replica.finished) + replica.running + replica.waiting == len(workload)
    records = replica.records()
    assert len(records) == len(workload)
    for record, request in zip(records, workload):
        assert request.arrival == record.arrival <= record.scheduled < record.first_token <= record.finish
        times = record.token_times
        assert len(times) == record.output_len
        assert times[0] == record.first_token
        assert times[-1] == pytest.approx(record.finish, rel=1e-12)
        assert times == sorted(times)
        assert record.cached_tokens < record.input_len
        assert (record.preemptions == 0) == (record.recomputed_tokens == 0) or record.preemptions
    whole = run(setup, workload, "closed", RealisticReplica)
    assert [r.token_times for r in whole.records()] == [r.token_times for r in records]


@pytest.mark.slow
@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.one_of(settings_of_all_kinds(), shortages()))
def test_closed_form_equals_single_steps_for_every_setting(case):
    setup, workload = case
    exact, closed = (run(setup, workload, engine, RealisticReplica) for engine in ("exact", "closed"))
    assert exact.step == closed.step
    for want, got in zip(exact.records(), closed.records(), strict=True):
        assert got.token_times == pytest.approx(want.token_times, rel=1e-9)
        assert got[8:11] == want[8:11]


@pytest.mark.slow
@settings(max_examples=70, deadline=None, derandomize=True)
@given(st.one_of(settings_of_all_kinds(), shortages()))
def test_every_setting_equals_an_oracle_that_goes_token_by_token_and_block_by_block(case):
    setup, workload = case
    setup = replace(setup, draft_tokens=0, prefix_cache=False)
    expected = Server(setup, workload).run()
    for want, got in zip(expected, run(setup, workload, "exact", RealisticReplica).records(), strict=True):
        assert got.token_times == pytest.approx(want.token_times, rel=1e-9)
        assert got.scheduled == pytest.approx(want.scheduled, rel=1e-9)
        assert (got.preemptions, got.recomputed_tokens) == (want.preemptions, want.recomputed)
