"""Each setting of Setup against a closed form."""

import math
from dataclasses import replace

import pytest

from sim import Request, Setup, simulate, step_time

BASE = Setup(7.6e9, 15.2e9, 57344, 100_000)
ALONE = [Request(0.0, 1000, 101)]


def alone(**changes):
    record, = simulate(replace(BASE, **changes), workload=ALONE)
    return record


def test_attention_flops_count_each_query_key_pair_once():
    setup = replace(BASE, attention_flops=1e9)
    extra = alone(attention_flops=1e9).ttft - alone().ttft
    assert extra == pytest.approx(1e9 * 1000 * 1001 / 2 / (989e12 * 0.5), rel=1e-9)
    assert step_time(setup, 1, 0, pairs=4e6) == pytest.approx((2 * 7.6e9 + 4e15) / (989e12 * 0.5) + 0.5e-3)


def test_chunks_of_a_prompt_have_as_many_pairs_as_the_whole():
    whole, chunked = alone(attention_flops=1e11), alone(attention_flops=1e11, max_num_batched_tokens=100)
    assert chunked.ttft == pytest.approx(whole.ttft + 9 * 0.5e-3, rel=1e-9)


def test_all_reduce_adds_latency_and_bytes_over_the_link():
    record = alone(comm_latency=1e-4, comm_bytes_per_token=1e6, link_bandwidth=1e11)
    assert record.ttft - alone().ttft == pytest.approx(1e-4 + 1000 * 1e6 / 1e11, rel=1e-9)
    assert record.tpot - alone().tpot == pytest.approx(1e-4 + 1e6 / 1e11, rel=1e-9)


def test_overhead_per_sequence_counts_every_running_request():
    burst = [Request(0.0, 10, 50)] * 4
    slow, fast = (simulate(setup, workload=burst) for setup in (replace(BASE, overhead_per_seq=1e-3), BASE))
    assert slow[0].tpot - fast[0].tpot == pytest.approx(4e-3, rel=1e-9)


def test_a_batch_reads_the_experts_that_its_tokens_touch():
    moe = dict(experts=256, experts_per_token=8, expert_bytes=14e9)
    touched = 1 - (1 - 8 / 256)
    saved = alone().tpot - alone(**moe).tpot
    assert saved == pytest.approx(14e9 * (1 - touched) / 3.35e12, rel=1e-9)
    assert step_time(replace(BASE, **moe), 10_000, 0) == pytest.approx(step_time(BASE, 10_000, 0))


@pytest.mark.parametrize(("acceptance", "k", "speedup"), [(0.6, 4, 1.92), (0.8, 8, 3.09), (0.9, 8, 4.38)])
def test_speculation_reaches_the_published_speedup_where_memory_bounds(acceptance, k, speedup):
    memory_bound = replace(BASE, params=1.0, step_overhead=0.0, kv_bytes_per_token=1e-9)
    long = [Request(0.0, 10, 20_001)]
    plain, = simulate(memory_bound, workload=long)
    fast, = simulate(replace(memory_bound, draft_tokens=k, acceptance=acceptance, draft_cost=0.05), workload=long)
    assert f"{plain.tpot / fast.tpot:.2f}" == f"{speedup:.2f}"


def test_verification_computes_one_and_k_positions_for_every_token():
    compute_bound = replace(BASE, weight_bytes=1.0, step_overhead=0.0, kv_bytes_per_token=1e-9)
    record, = simulate(replace(compute_bound, draft_tokens=3, acceptance=0.0), workload=ALONE)
    assert record.tpot == pytest.approx(4 * 2 * 7.6e9 / (989e12 * 0.5), rel=1e-9)


def test_prefill_first_stalls_decode_and_decode_first_stalls_prefill():
    workload = [Request(0.0, 100, 200), Request(0.1, 5000, 10)]
    first = {name: simulate(replace(BASE, schedule=name), workload=workload)
             for name in ("chunked", "prefill_first", "decode_first")}
    stall = {name: max(b - a for a, b in zip(r[0].token_times, r[0].token_times[1:])) for name, r in first.items()}
    prefill = 2 * 7.6e9 * 5000 / (989e12 * 0.5)
    assert prefill < stall["chunked"]
    assert stall["prefill_first"] > prefill
    assert stall["decode_first"] < 0.01
    assert first["decode_first"][1].scheduled == pytest.approx(first["decode_first"][0].finish)
    assert first["prefill_first"][1].ttft < first["chunked"][1].ttft


def test_orders_admit_by_arrival_priority_or_length():
    one_place = replace(BASE, max_num_seqs=1)
    workload = [Request(0.0, 10, 50), Request(0.0, 10, 30, priority=2), Request(0.0, 10, 90, priority=1), Request(0.0, 10, 20, priority=3)]
    order = {}
    for name in ("fcfs", "priority", "shortest"):
        records = simulate(replace(one_place, order=name), workload=workload)
        order[name] = sorted(range(4), key=lambda n: records[n].finish)
    assert order == {"fcfs": [0, 1, 2, 3], "priority": [0, 2, 1, 3], "shortest": [3, 1, 0, 2]}


def test_on_demand_blocks_admit_what_reserving_keeps_waiting():
    tight = replace(BASE, kv_capacity_tokens=3200)
    burst = [Request(0.0, 100, 700)] * 10
    reserved = simulate(tight, workload=burst)
    on_demand = simulate(replace(tight, kv_policy="on_demand"), workload=burst)
    assert sum(r.scheduled == 0 for r in reserved) == 4
    assert sum(r.scheduled == 0 for r in on_demand) == 10
    assert sum(r.preemptions for r in on_demand) > 0
    assert sum(r.recomputed_tokens for r in on_demand) > 0
    assert all(len(r.token_times) == 700 for r in on_demand)


def test_without_shortage_on_demand_blocks_change_nothing():
    plenty = simulate(replace(BASE, kv_policy="on_demand"), 5, 200, 1000, 100)
    assert [r[:7] for r in plenty] == [r[:7] for r in simulate(BASE, 5, 200, 1000, 100)]


def test_the_victim_of_a_shortage_is_the_last_admitted():
    tight = replace(BASE, kv_capacity_tokens=1600, kv_policy="on_demand")
    records = simulate(tight, workload=[Request(0.0, 100, 900), Request(0.0, 100, 900), Request(0.0, 100, 900)])
    assert [r.preemptions > 0 for r in records] == [False, True, True]
    assert records[0].finish < records[1].finish < records[2].finish


def test_a_preempted_request_computes_its_prompt_and_its_tokens_again():
    # Two requests of 64 tokens in 8 blocks of 16: both hold 4 blocks when they have 64 tokens, and the second gives way.
    setup = replace(BASE, kv_capacity_tokens=128, kv_policy="on_demand", watermark=0.0)
    first, second = simulate(setup, workload=[Request(0.0, 32, 60), Request(0.0, 32, 60)])
    assert (first.preemptions, second.preemptions) == (0, 1)
    # Each had 32 tokens of prompt, 1 from the prefill and 32 from decode steps; the KV of the last was still to compute.
    assert second.recomputed_tokens == 64
    assert second.pieces[0][0] == 33


def test_prefix_cache_skips_the_tokens_of_known_blocks():
    cached = replace(BASE, prefix_cache=True)
    prefix = tuple(range(4))
    workload = [Request(0.0, 2148, 10, hashes=prefix), Request(5.0, 2148, 10, hashes=prefix), Request(9.0, 2048, 10, hashes=prefix)]
    first, second, third = simulate(cached, workload=workload)
    assert (first.cached_tokens, second.cached_tokens, third.cached_tokens) == (0, 2048, 2047)
    assert first.ttft == pytest.approx(step_time(cached, 2148, 0), rel=1e-9)
    assert second.ttft == pytest.approx(step_time(cached, 100, 2048), rel=1e-9)
    assert third.ttft == pytest.approx(step_time(cached, 1, 2047), rel=1e-9)


def test_prefix_cache_gives_its_room_to_running_requests_oldest_first():
    cached = replace(BASE, prefix_cache=True, kv_capacity_tokens=2200)
    ask = lambda at, name: Request(at, 1024, 10, hashes=(name, name + 1))
    hits = [r.cached_tokens for r in simulate(cached, workload=[ask(0, 10), ask(5, 20), ask(10, 30), ask(15, 20), ask(20, 10)])]
    # The third evicts the first prompt's blocks; the fourth finds the second's; the fifth finds nothing.
    assert hits == [0, 0, 0, 1023, 0]


@pytest.mark.parametrize("changes", [dict(bandwidth=6.7e12), dict(peak_flops=2e15), dict(mfu=0.9), dict(max_num_batched_tokens=65536),
                                     dict(kv_capacity_tokens=200_000), dict(max_num_seqs=512)])
def test_more_of_anything_never_makes_a_single_request_slower(changes):
    for request in (Request(0.0, 1, 1), Request(0.0, 30_000, 3), Request(0.0, 50, 900)):
        before, = simulate(BASE, workload=[request])
        after, = simulate(replace(BASE, **changes), workload=[request])
        assert after.e2e <= before.e2e
        assert after.ttft <= before.ttft


@pytest.mark.parametrize(("changes", "words"), [
    (dict(kv_capacity_tokens=-5), "the weights leave no room"),
    (dict(kv_capacity_tokens=0), "at least 1 token must fit"),
    (dict(params=math.nan), "params is nan, but it must be a number above 0"),
    (dict(bandwidth=0), "bandwidth is 0, but it must be a number above 0"),
    (dict(mfu=1.5), "mfu is 1.5, but it must be a number above 0 and at most 1"),
    (dict(max_num_seqs=2.5), "max_num_seqs is 2.5, but it must be a whole number of at least 1"),
    (dict(kv_policy="paged"), "kv_policy is 'paged', but it must be one of reserve, on_demand"),
    (dict(experts=8, experts_per_token=9), "experts_per_token is 9, but it must be from 1 to experts, 8"),
    (dict(expert_bytes=1e12), "a part of weight_bytes"),
    (dict(step_overhead="1"), "step_overhead is '1', but it must be a number at least 0"),
])
def test_a_setting_that_makes_no_sense_is_named(changes, words):
    with pytest.raises(ValueError) as caught:
        replace(BASE, **changes)
    assert words in str(caught.value)


@pytest.mark.parametrize(("arguments", "words"), [
    ((0, 10, 10, 10), "rate is 0, but it must be a number above 0"),
    ((math.nan, 10, 10, 10), "rate is nan"),
    ((1, 0, 10, 10), "num_requests is 0, but it must be a whole number of at least 1"),
    ((1, 10, 0, 10), "input_len is 0"),
    ((1, 10, 10, 1.5), "output_len is 1.5"),
    ((1, 10, 99_999, 2), "a request of 100001 tokens (input_len + output_len) can never be admitted: kv_capacity_tokens is 100000"),
])
def test_a_workload_that_makes_no_sense_is_named(arguments, words):
    with pytest.raises(ValueError) as caught:
        simulate(BASE, *arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize("changes", [dict(kv_bytes_per_token=1e-300), dict(bandwidth=1e-3), dict(peak_flops=1.0), dict(params=1e-12),
                                     dict(weight_bytes=1e-12, kv_bytes_per_token=1e-12, params=1e-12, step_overhead=0.0)])
def test_extreme_numbers_still_give_finite_times(changes):
    records = simulate(replace(BASE, **changes), 1, 20, 100, 50)
    assert all(math.isfinite(r.finish) and r.arrival <= r.first_token <= r.finish for r in records)


def test_an_unsorted_workload_is_named():
    with pytest.raises(ValueError, match="request 1 arrives at 1, before request 0 at 2: sort the workload by arrival"):
        simulate(BASE, workload=[Request(2.0, 1, 1), Request(1.0, 1, 1)])
