"""Lengths, arrivals, closed loops and traces."""

from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest
from sim.arrivals import ClosedLoop, diurnal_arrivals, gamma_arrivals, poisson_workload, varying_arrivals
from sim.engine import FastReplica
from sim.lengths import empirical, fixed, from_quantiles, lognormal
from sim.realistic import RealisticReplica
from sim.trace import read_trace, reuse

from sim import Request, Setup, simulate, summarize

QWEN = Setup(7.6e9, 15.2e9, 57344, int(55e9 / 57344))


def drawn(length, count=20_000, seed=0):
    rng = Random(seed)
    return [length(rng) for _ in range(count)]


def gaps(times):
    return [b - a for a, b in zip(times, times[1:])]


def test_lognormal_lengths_have_the_mean_and_variation_asked_for():
    values = drawn(lognormal(1000, 0.8))
    assert fmean(values) == pytest.approx(1000, rel=0.02)
    assert stdev(values) / fmean(values) == pytest.approx(0.8, rel=0.05)
    assert min(values) >= 1
    assert max(drawn(lognormal(1000, 2, most=5000))) == 5000


def test_empirical_lengths_come_from_the_measured_ones():
    values = drawn(empirical([10, 20, 20, 30]), 8000)
    assert set(values) == {10, 20, 30}
    assert values.count(20) / 8000 == pytest.approx(0.5, abs=0.02)


def test_lengths_between_quantiles_have_these_quantiles():
    values = sorted(drawn(from_quantiles([(0, 1), (0.5, 1020), (0.99, 4142), (1, 8000)])))
    assert values[10_000] == pytest.approx(1020, rel=0.03)
    assert values[19_800] == pytest.approx(4142, rel=0.05)


@pytest.mark.parametrize("cv", [0.5, 1.0, 3.0])
def test_gamma_gaps_have_the_mean_and_variation_asked_for(cv):
    between = gaps(gamma_arrivals(10, 40_000, cv))
    assert fmean(between) == pytest.approx(0.1, rel=0.06)
    assert stdev(between) / fmean(between) == pytest.approx(cv, rel=0.06)


def test_gamma_with_no_variation_is_a_metronome():
    assert gamma_arrivals(4, 3, 0) == [0.25, 0.5, 0.75]


def test_a_day_has_its_peak_in_the_middle_and_its_mean_overall():
    times = diurnal_arrivals(5, 9, until=2000, seed=1, period=2000)
    assert len(times) / 2000 == pytest.approx(5, rel=0.05)
    middle = [t for t in times if 900 <= t < 1100]
    assert len(middle) / 200 == pytest.approx(9, rel=0.08)


def test_a_rate_above_the_peak_is_named():
    with pytest.raises(ValueError, match="above the peak of 1"):
        varying_arrivals(lambda t: 2.0, 1.0, 100.0)


def test_poisson_workload_has_the_arrivals_of_simulate():
    made = poisson_workload(10, 100, fixed(1024), 256, seed=4)
    assert simulate(QWEN, workload=made) == simulate(QWEN, 10, 100, 1024, 256, seed=4)


def test_a_closed_loop_never_has_more_running_than_users_and_obeys_littles_law():
    records = simulate(QWEN, workload=ClosedLoop(8, 400, lognormal(500, 1), 64, think=0.2, seed=2))
    assert len(records) == 400
    events = sorted([(r.arrival, 1) for r in records] + [(r.finish, -1) for r in records])
    inside = most = 0
    for _, change in events:
        inside += change
        most = max(most, inside)
    assert most <= 8
    cycle = fmean(r.e2e for r in records) + 0.2
    assert len(records) / max(r.finish for r in records) == pytest.approx(8 / cycle, rel=0.03)


@pytest.mark.parametrize("think", [0.0, 0.3])
def test_a_closed_loop_is_the_same_on_both_engines(think):
    def loop():
        return ClosedLoop(6, 120, lognormal(800, 1), lognormal(60, 0.5), think=think, seed=3)

    fast, full = loop().drive(FastReplica(QWEN)), loop().drive(RealisticReplica(QWEN))
    assert fast == full
    exact = loop().drive(FastReplica(QWEN, exact=True))
    assert [r.finish for r in exact] == pytest.approx([r.finish for r in fast], rel=1e-9)


def test_a_closed_loop_slows_down_where_an_open_loop_backs_up():
    rate = 40
    open_loop = summarize(simulate(QWEN, rate, 1500, 1024, 256), 1.0, 0.04)
    closed = summarize(simulate(QWEN, workload=ClosedLoop(64, 1500, 1024, 256)), 1.0, 0.04)
    assert open_loop["ttft_p99"] > 10 * closed["ttft_p99"]


@pytest.mark.parametrize(("name", "count"), [("azure-conversation", 500), ("azure-code", 500), ("mooncake-conversation", 300)])
def test_a_shipped_sample_can_be_read_scaled_and_simulated(name, count):
    requests = read_trace(name)
    assert len(requests) == count
    assert requests[0].arrival == 0
    assert all(a.arrival <= b.arrival for a, b in zip(requests, requests[1:]))
    twice = read_trace(name, rate=2.0, limit=100)
    assert 99 / twice[-1].arrival == pytest.approx(2.0)
    roomy = Setup(7.6e9, 15.2e9, 57344, 10**6)
    assert len(simulate(roomy, workload=twice)) == 100


def test_first_rows_of_the_samples_are_read_as_written():
    assert read_trace("azure-conversation", limit=2)[1] == Request(pytest.approx(4.314579), 396, 109)
    first = read_trace("mooncake-conversation", limit=1)[0]
    assert (first.input_len, first.output_len, first.hashes, first.hash_block) == (6758, 500, tuple(range(14)), 512)


def test_a_cache_with_room_for_everything_reaches_the_reuse_of_the_trace():
    requests = read_trace("mooncake-conversation", rate=0.5)
    setup = Setup(7.6e9, 15.2e9, 57344, 10**9, prefix_cache=True)
    records = simulate(setup, workload=requests)
    hit = sum(r.cached_tokens for r in records) / sum(r.input_len for r in records)
    assert hit == pytest.approx(reuse(requests), rel=0.02)
    assert 0.05 < hit < 0.5


@pytest.mark.parametrize(("text", "words"), [
    ("a,b,c\n1,2,3\n", "starts with 'a,b,c'"),
    ("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.68,ten,44\n", "line 2 cannot be read"),
    ('{"timestamp": 0, "input_length": 5, "output_length": 1}\n{"timestamp": 1}\n', "line 2 cannot be read"),
    ("TIMESTAMP,ContextTokens,GeneratedTokens\n", "holds no requests"),
    ("", "starts with ''"),
])
def test_a_file_that_is_no_trace_is_named_with_its_line(tmp_path: Path, text, words):
    path = tmp_path / "trace.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        read_trace(path)
