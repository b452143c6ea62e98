"""Metrics as formulas of the records."""

from dataclasses import replace

import pytest
from sim.capacity import fleet, knee, meets, saturation, sweep
from sim.confidence import confidence, over_seeds
from sim.itl import itl_percentiles
from sim.occupancy import occupancy

from sim import Request, Setup, percentile, simulate, summarize

QWEN = Setup(7.6e9, 15.2e9, 57344, int(55e9 / 57344))


def test_percentile_is_the_nearest_rank():
    values = list(range(1, 101))
    assert [percentile(values, p) for p in (1, 50, 99, 99.5, 100)] == [1, 50, 99, 100, 100]
    assert percentile(values, 7) == 7
    assert percentile([3, 1, 2], 50) == 2
    assert percentile(iter([5.0]), 1) == 5.0


@pytest.mark.parametrize(("values", "p"), [([], 50), ([1], 0), ([1], 101), ([1], float("nan"))])
def test_percentile_names_what_makes_no_sense(values, p):
    with pytest.raises(ValueError):
        percentile(values, p)


@pytest.mark.parametrize("setup", [QWEN, replace(QWEN, schedule="prefill_first"), replace(QWEN, draft_tokens=2, acceptance=0.5),
                                   replace(QWEN, kv_policy="on_demand", kv_capacity_tokens=12_000)], ids=["default", "prefill", "draft", "preempting"])
def test_itl_percentiles_equal_those_of_the_list_of_all_gaps(setup):
    records = simulate(setup, 15, 150, 1024, 256)
    gaps = [b - a for r in records for a, b in zip(r.token_times, r.token_times[1:])]
    expected = [percentile(gaps, p) for p in (50, 90, 99, 99.9, 100)]
    assert itl_percentiles(records, (50, 90, 99, 99.9, 100)) == pytest.approx(expected, rel=1e-9)
    assert itl_percentiles(records, (99, 50)) == pytest.approx([expected[2], expected[0]], rel=1e-9)


def test_warm_up_and_censoring_leave_out_requests_by_arrival():
    records = simulate(QWEN, 10, 500, 1024, 256)
    cut = summarize(records, 1.0, 0.04, warm_up=10.0, until=30.0)
    assert cut["requests"] == sum(10 <= r.arrival < 30 for r in records)
    with pytest.raises(ValueError, match="at least one is needed"):
        summarize(records, 1.0, 0.04, warm_up=1e9)


def test_metrics_are_the_formulas_they_claim():
    setup = Setup(1e9, 2e9, 1e3, 10_000)
    records = simulate(setup, workload=[Request(0.0, 100, 5), Request(0.5, 200, 1)])
    m = summarize(records, 1.0, 1.0)
    assert m["ttft_p99"] == max(r.first_token - r.arrival for r in records)
    assert m["tpot_p50"] == 0.0
    assert m["duration"] == records[1].finish - records[0].arrival
    assert m["output_tps"] == 6 / m["duration"]
    assert m["total_tps"] == 306 / m["duration"]
    assert m["goodput"] == 2 / m["duration"]
    assert summarize(records, 0.0, 1.0)["slo_ok"] == 0


def test_early_abort_gives_the_verdict_of_the_whole_run():
    for rate in (5, 20, 22.5, 22.6, 25, 60):
        whole = summarize(simulate(QWEN, rate, 800, 1024, 256), 1.0, 0.04)["slo_ok"] >= 0.99
        assert meets(QWEN, (1.0, 0.04), rate, 1024, 256, 800) == whole


def test_knee_is_zero_where_not_even_the_lowest_rate_passes():
    assert knee(QWEN, (0.001, 0.04), 1024, 256, num_requests=50) == 0.0


def test_knee_of_a_setup_with_realism_is_lower():
    slow = replace(QWEN, attention_flops=4 * 28 * 28 * 128.0, overhead_per_seq=2e-5)
    assert 1 < knee(slow, (1.0, 0.04), 1024, 256, num_requests=400) < knee(QWEN, (1.0, 0.04), 1024, 256, num_requests=400)


def test_fleet_adds_headroom_then_spares_and_does_not_trip_over_floats():
    assert fleet(150 * 0.82, 1.0).instances == 123
    assert fleet(100, 25, headroom=0.25, spares=1, gpus_per_instance=2).gpus == 12
    assert fleet(0.1, 25).instances == 1


def test_sweep_labels_what_settles_and_what_does_not():
    labels = {p.rate: p.label for p in sweep(QWEN, (1.0, 0.04), (10, 20, 30), 1024, 256, num_requests=1000)}
    assert labels == {10: "stable", 20: "stable", 30: "overloaded"}
    burst = simulate(replace(QWEN, max_num_seqs=8), workload=[Request(0.0, 1024, 256)] * 200)
    assert saturation(burst, 1.0) != "stable"


def test_confidence_interval_is_students_t():
    low = confidence([1.0, 2.0, 3.0])
    assert low.mean == 2.0
    assert low.high - 2.0 == pytest.approx(4.303 / 3**0.5, rel=1e-4)
    spread = over_seeds(lambda seed: summarize(simulate(QWEN, 10, 200, 1024, 256, seed), 1.0, 0.04)["ttft_p50"], range(12))
    assert spread.low < spread.mean < spread.high < 0.05


def test_occupancy_counts_waiting_running_and_tokens():
    records = simulate(replace(QWEN, max_num_seqs=4), workload=[Request(0.0, 1000, 100)] * 10)
    moments = occupancy(records, 500)
    assert max(m.running for m in moments) == 4
    assert max(m.waiting for m in moments) == 6
    assert 4000 < max(m.kv_tokens for m in moments) <= 4400
    assert (moments[-1].waiting, moments[-1].running) == (0, 0)
    assert moments[-1].kv_tokens == pytest.approx(0, abs=1e-6)
