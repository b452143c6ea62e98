"""Numbers that make no sense are refused by name, whatever setting they are given to; nothing hangs, nothing is silently ignored."""

import json
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from sim.arrivals import ClosedLoop, diurnal_arrivals, gamma_arrivals, varying_arrivals
from sim.lengths import lognormal
from sim.measurement import read_measurements
from sim.simulation import make_replica

from sim import Request, Setup, calibrate, fleet, knee, read_trace, simulate

BASE = Setup(7.6e9, 15.2e9, 57344, 100_000)
EVERYTHING = replace(BASE, kv_policy="on_demand", prefix_cache=True, order="priority", draft_tokens=2, acceptance=0.5)
NONSENSE = [float("nan"), float("inf"), -float("inf"), 10**400, -(10**400), "5", None, [1], 1 + 0j, Decimal(3), Fraction(1, 2), b"", {}, True]


@pytest.mark.parametrize("field", [field.name for field in fields(Setup) if field.type in ("float", "int", float, int)])
def test_every_number_of_a_setup_is_refused_by_name_when_it_is_none(field):
    for value in NONSENSE:
        with pytest.raises(ValueError, match=field):
            replace(BASE, **{field: value})


@pytest.mark.parametrize("setup", [BASE, EVERYTHING], ids=["default", "everything"])
@pytest.mark.parametrize("field", ["arrival", "input_len", "output_len", "priority", "hashes", "hash_block", "loaded"])
def test_every_field_of_a_request_is_refused_by_name_when_it_is_nonsense(setup, field):
    for value in [*NONSENSE, -1, 0.5, 2.0, 1e300]:
        if (field == "priority" and value in (-1, 0.5, 2.0, 1e300)) or (field == "arrival" and value in (0.5, 2.0)):
            continue
        if value == 10**400 and field in ("hash_block", "loaded"):
            continue  # more than any prompt has, and so none or all of it
        words = "can never be admitted" if value == 10**400 and field.endswith("_len") else f"{field} of request 0"
        with pytest.raises(ValueError, match=words):
            simulate(setup, workload=[Request(**{"arrival": 0.0, "input_len": 50, "output_len": 5, field: value})])


def test_what_cannot_be_told_from_another_time_is_refused():
    for rate in (1e-300, 5e-324, 1e-12):
        with pytest.raises(ValueError, match="the last arrival"):
            simulate(BASE, rate, 10, 50, 5)
    with pytest.raises(ValueError, match="num_requests"):
        simulate(BASE, 1.0, 10**12, 50, 5)


def test_kv_that_comes_from_elsewhere_is_not_computed_whatever_the_setup():
    whole, = simulate(BASE, workload=[Request(0.0, 1000, 2)])
    for engine in ("closed", "exact"):
        loaded, = simulate(BASE, workload=[Request(0.0, 1000, 2, loaded=900)], engine=engine)
        hundred, = simulate(BASE, workload=[Request(0.0, 100, 2)], engine=engine)
        assert hundred.ttft <= loaded.ttft < whole.ttft
    with pytest.raises(ValueError, match="loaded"):
        make_replica(BASE).submit([Request(0.0, 1000, 2, loaded=900)])


@pytest.mark.parametrize("slo", [(float("nan"), 1.0), (1.0, float("nan")), (-1.0, 1.0), ("1", 1.0), (None, 1.0)])
def test_an_slo_of_nonsense_is_refused_rather_than_never_met(slo):
    with pytest.raises(ValueError, match="of the SLO"):
        knee(BASE, slo, 100, 10)
    assert knee(BASE, (float("inf"), float("inf")), 100, 10, num_requests=5) > 39


def test_halvings_beyond_what_a_float_can_tell_end():
    assert knee(BASE, (1.0, 1.0), 100, 10, num_requests=2, halvings=10**9) > 39
    assert knee(BASE, (1e-9, 1e-9), 100, 10, num_requests=2, halvings=10**9) == 0.0


def test_a_closed_loop_refuses_pauses_and_lengths_of_nonsense():
    for think in (-5.0, float("nan"), float("inf"), "1"):
        with pytest.raises(ValueError, match="think"):
            simulate(BASE, workload=ClosedLoop(2, 10, 100, 10, think=lambda rng, think=think: think))
    for length in (0, 1.5, -1, float("nan")):
        with pytest.raises(ValueError, match="input_len"):
            simulate(BASE, workload=ClosedLoop(2, 10, lambda rng, length=length: length, 10))


def test_arrivals_and_lengths_refuse_what_no_float_can_hold():
    for make in (
        lambda: gamma_arrivals(1, 5, 1e200), lambda: diurnal_arrivals(1, 2, 10, period=0), lambda: diurnal_arrivals(1, 2, 10, period=-5),
        lambda: varying_arrivals(lambda t: float("nan"), 1, 10), lambda: varying_arrivals(lambda t: -1, 1, 10), lambda: lognormal(1e308, 1),
        lambda: lognormal(10, 1e200), lambda: fleet(1e308, 1e-308), lambda: fleet(10**400, 1),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            make()
    assert 1 <= lognormal(1e12, 1000)(Random(1)) <= 1_000_000


HEADER = "input_len,output_len,concurrency,ttft_ms,tpot_ms\n"
STAMPS = {"arrival_time": 0.0, "input_toks": 10, "output_toks": 3, "queued_ts": 0.0, "first_token_ts": 1.0, "last_token_ts": 2.0}
BENCH = {"completed": 5, "total_input_tokens": 50, "total_output_tokens": 50, "mean_ttft_ms": 5.0, "mean_tpot_ms": 5.0}
DETAIL = {"start_times": [0, 1, 2], "ttfts": [1, 1, 1], "itls": [[1], [1], [1]], "input_lens": [5, 5, 5], "output_lens": [2, 2, 2]}


@pytest.mark.parametrize(
    "text",
    [*(HEADER + f"100,50,{users},{ttft},{tpot}\n" for users, ttft, tpot in ((1, 0, 5), (1, 5, 0), (1, -5, 5), (1, "nan", 5), (1, "inf", 5), (0, 5, 5), ("", 5, 5))),
     HEADER.strip() + ",tp\n100,50,1,5,5,0\n", HEADER, "", "[1, 2]", "{}", '{"a": 1', '{"first_token_ts": 1}\n[1]\n',
     *(json.dumps({**BENCH, key: value}) for key in BENCH for value in (0, -1, None, "a", [], float("nan"))),
     *(json.dumps({**DETAIL, key: value}) for key in DETAIL for value in ([1], 5, "abc", [None] * 3, [[]] * 2, [float("nan")] * 3)),
     *(json.dumps({**STAMPS, key: value}) for key in STAMPS for value in (None, "a", [], float("nan")))],
)  # fmt: skip
def test_measurements_of_nonsense_are_refused_with_the_files_name(tmp_path, text):
    path = tmp_path / "measured.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"measured\.txt|fit needs|request 0|request 1"):
        calibrate(read_measurements(path), BASE, iterations=1)


@pytest.mark.parametrize("read", [read_trace, read_measurements])
def test_a_file_that_is_no_text_is_refused_with_its_name(tmp_path, read):
    path = tmp_path / "bytes.bin"
    path.write_bytes(b"abc\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"bytes\.bin is not UTF-8 text \(byte 0xff at 3\)"):
        read(path)
