"""Calibration recovers constants that are known, and says what it cannot read."""

import json
from dataclasses import replace

import pytest
from sim.arrivals import ClosedLoop, poisson_workload
from sim.calibration import calibrate
from sim.lengths import lognormal
from sim.measurement import Measurement, read_measurements

from sim import Setup, simulate

BASE = Setup(8e9, 16e9, 131_072, 200_000)
TRUE = replace(BASE, mbu=0.72, mfu=0.41, step_overhead=3e-3)


def mean(values):
    return sum(values) / len(values)


def measured(setup, users, input_len, output_len, tp=1):
    load = ClosedLoop(users, 3 * users, input_len, output_len)
    records = simulate(setup, workload=load)
    return Measurement(f"{users} users", load, mean([r.ttft for r in records]), mean([r.tpot for r in records]), tp)


def test_constants_come_back_from_points_that_were_simulated_with_them():
    points = [measured(TRUE, users, length, 64) for users in (1, 4, 16, 64) for length in (100, 1000, 2500)]
    result = calibrate(points, BASE)
    assert result.constants["mbu"] == pytest.approx(0.72, rel=0.03)
    assert result.constants["mfu"] == pytest.approx(0.41, rel=0.03)
    assert result.constants["step_overhead"] == pytest.approx(3e-3, rel=0.06)
    assert result.error(before=True) > 0.2 > 0.02 > result.error()
    assert result.setup.mbu == result.constants["mbu"]
    assert sum(r.held_out for r in result.residuals) == 12


def test_constants_come_back_from_requests_replayed_one_by_one():
    load = poisson_workload(6, 120, lognormal(1200, 0.8), 80, seed=2)
    records = simulate(TRUE, workload=load)
    one = Measurement("replay", load, tuple(r.ttft for r in records), tuple(r.tpot for r in records))
    result = calibrate([one], BASE)
    # One load cannot tell bandwidth from overhead, so only what they do together comes back.
    assert result.error("ttft") < 0.06
    assert result.error("tpot") < 0.02
    assert result.constants["mfu"] == pytest.approx(0.41, rel=0.03)
    assert "ttft held out" in str(result)


def test_the_all_reduce_term_is_told_apart_where_tp_differs():
    def make(tp):
        return replace(BASE, peak_flops=tp * 989e12, bandwidth=tp * 3.35e12, comm_latency=(tp > 1) * 1e-3,
                       comm_bytes_per_token=1e6 * (tp - 1) / tp, mfu=0.5)

    def true(tp):
        setup = make(tp)
        return replace(setup, mbu=0.8, comm_latency=setup.comm_latency * 2, link_bandwidth=setup.link_bandwidth / 2)

    points = [measured(true(tp), users, length, 32, tp) for tp in (1, 2, 4, 8) for users in (1, 8, 32) for length in (200, 2000)]
    assert calibrate(points, make).constants["comm"] == pytest.approx(2, rel=0.1)


def test_only_the_tps_that_were_measured_need_to_fit():
    def make(tp):
        return Setup.for_model("llama-3-70b", tp=tp, memory_use=1.0)

    points = [measured(replace(make(2), mbu=0.7), users, 500, 32, 2) for users in (1, 4)]
    result = calibrate(points, make, fit=("mbu",))
    assert result.constants["mbu"] == pytest.approx(0.7, rel=0.01)
    assert result.setup.bandwidth == 2 * 3.35e12


def test_csv_and_bench_results_are_read(tmp_path):
    table = tmp_path / "points.csv"
    table.write_text("input_len,output_len,concurrency,ttft_ms,tpot_ms,tp\n1024,128,8,272,18.65,2\n")
    point, = read_measurements(table)
    assert (point.workload.users, point.ttft, point.tpot, point.tp) == (8, 0.272, pytest.approx(0.01865), 2)
    result = {"completed": 10, "total_input_tokens": 10240, "total_output_tokens": 1280, "mean_ttft_ms": 50.0, "mean_tpot_ms": 9.0,
              "request_rate": 4.0, "max_concurrency": None}
    bench = tmp_path / "bench.json"
    bench.write_text(json.dumps(result, indent=1))
    point, = read_measurements(bench)
    assert len(point.workload) == 10
    assert (point.workload[0].input_len, point.workload[0].output_len) == (1024, 128)
    bench.write_text("\n".join(json.dumps(result | {"max_concurrency": users}) for users in (1, 2)))
    assert [p.workload.users for p in read_measurements(bench)] == [1, 2]
    detailed = result | {"start_times": [10.5, 10.0], "ttfts": [0.2, 0.1], "itls": [[0.01, 0.03], []], "input_lens": [5, 6], "output_lens": [3, 1]}
    bench.write_text(json.dumps(detailed))
    point, = read_measurements(bench)
    assert [(r.arrival, r.input_len) for r in point.workload] == [(0.0, 6), (0.5, 5)]
    assert (point.ttft, point.tpot) == ((0.1, 0.2), (0.0, pytest.approx(0.02)))


def test_request_logs_are_put_on_the_clock_of_the_engine(tmp_path):
    log = tmp_path / "requests.jsonl"
    row = {"input_toks": 10, "output_toks": 3, "first_token_ts": 501.0, "last_token_ts": 501.2}
    log.write_text("\n".join(json.dumps(row | times) for times in (
        {"arrival_time": 1000.0, "queued_ts": 500.0}, {"arrival_time": 1000.5, "queued_ts": 500.7})))
    point, = read_measurements(log)
    assert [r.arrival for r in point.workload] == [0.0, 0.5]
    assert point.ttft == (1.0, 0.5)
    assert point.tpot == pytest.approx((0.1, 0.1))


@pytest.mark.parametrize(("text", "words"), [
    ("input_len,output_len\n1,2\n", "line 2 lacks concurrency, ttft_ms, tpot_ms"),
    ("input_len,output_len,concurrency,ttft_ms,tpot_ms\n1,2,x,4,5\n", "line 2: invalid literal"),
    ("", "holds no measurements"),
    ('{"completed": 1}', "lacks total_input_tokens"),
    ('{"first_token_ts": 1}\n{"a": ', "line 2 is not JSON"),
])
def test_a_file_that_cannot_be_used_is_named_with_its_line(tmp_path, text, words):
    path = tmp_path / "points"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        read_measurements(path)


def test_too_few_figures_and_unknown_constants_are_named():
    one = measured(TRUE, 1, 100, 10)
    with pytest.raises(ValueError, match="fit has 'price'"):
        calibrate([one], BASE, fit=("price",))
    with pytest.raises(ValueError, match="at least 2 beside those held out"):
        calibrate([replace_ttft(one)], BASE)


def replace_ttft(measurement):
    return Measurement(measurement.name, measurement.workload, (), (0.5,))
