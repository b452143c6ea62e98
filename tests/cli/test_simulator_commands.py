"""`judge.py sim`, `knee`, `fleet` and `calibrate`: what they print, and how they answer wrong use."""

import csv
import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from practice.cli.entry import run
from practice.sim import Setup, simulate
from practice.sim.arrivals import ClosedLoop

DESIGN = """
[setup]
model = "llama-3-70b"
gpu = "h100"
tp = 8
weights = "fp8"
kv = "fp8"
mfu = 0.4
step_overhead = 1.5e-3
max_num_seqs = 512

[load]
input = 2000
output = 500
requests = 1500

[slo]
ttft = 2.0
tpot = 0.05
"""
QWEN = ["--set", "params=7.6e9", "--set", "weight_bytes=15.2e9", "--set", "kv_bytes_per_token=57344", "--set", "kv_capacity_tokens=959123"]


@pytest.fixture
def design(tmp_path):
    path = tmp_path / "service.toml"
    path.write_text(DESIGN)
    return str(path)


def test_sim_prints_the_published_rows_as_a_table_json_and_csv(capsys):
    assert run(["sim", *QWEN, "--rate", "10,25"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["10", "37", "ms", "121", "ms", "7.5", "ms", "8.9", "ms", "2504", "9.78", "100.0%", "stable"]
    assert run(["sim", *QWEN, "--rate", "10,25", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["rate"] for row in rows] == [10, 25]
    assert run(["sim", *QWEN, "--rate", "10,25", "--csv"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert float(table[1]["ttft_p99"]) == rows[1]["ttft_p99"]


def test_sim_plots_curves_over_rates_and_states_over_time(tmp_path, capsys):
    for rate in ("5,10", "10"):
        path = tmp_path / f"{rate}.svg"
        assert run(["sim", *QWEN, "--requests", "100", "--rate", rate, "--plot", str(path)]) == 0
        ElementTree.fromstring(path.read_text())
    assert "wrote" in capsys.readouterr().err


def test_sim_replays_a_trace(capsys):
    assert run(["sim", "--model", "llama-3-8b", "--trace", "azure-conversation", "--rate", "2", "--json"]) == 0
    row, = json.loads(capsys.readouterr().out)
    assert row["requests"] == 500
    assert row["rate"] == pytest.approx(2, rel=0.01)


def test_knee_and_fleet_give_the_worked_design(design, capsys):
    assert run(["knee", "--config", design, "--high", "60", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["knee"] == 16.75830078125
    assert run(["fleet", "--config", design, "--high", "60", "--peak", "200", "--headroom", "0.3", "--gpu-price", "2.5", "--json"]) == 0
    plan, = json.loads(capsys.readouterr().out)
    assert (plan["instances"], plan["gpus"], plan["cost_per_hour"]) == (16, 128, 320.0)
    assert run(["fleet", "--config", design, "--peak", "200", "--knee", "16.758", "--spares", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["16.76", "13", "104"]


def test_a_knee_that_does_not_exist_is_exit_code_1(capsys):
    assert run(["knee", *QWEN, "--slo-ttft", "0.001", "--requests", "50"]) == 1
    said = capsys.readouterr().err
    assert "not even 1 req/s meets the SLO" in said and "`--low 0.1`" in said


def test_a_headroom_that_was_meant_in_percent_is_questioned(capsys):
    for headroom, questioned in (("30", True), ("0.3", False)):
        assert run(["fleet", *QWEN, "--knee", "20", "--peak", "100", "--headroom", headroom, "--gpu-price", "2", "--json"]) == 0
        said = capsys.readouterr()
        assert ("30% is `--headroom 0.3`" in said.err) == questioned
        assert json.loads(said.out)[0]["gpu_price"] == 2


def test_constants_that_do_not_fit_are_not_handed_out_without_a_word(tmp_path, capsys):
    setup, path = replace(Setup(7.6e9, 15.2e9, 57_344, 959_123), mfu=0.4), tmp_path / "points.csv"
    for times, poor in ((1, False), (9, True)):
        rows = []
        for users in (1, 4, 16, 64):
            records = simulate(setup, workload=ClosedLoop(users, 3 * users, 1000, 32))
            ttft, tpot = (sum(getattr(record, name) for record in records) / len(records) * 1e3 for name in ("ttft", "tpot"))
            rows.append(f"1000,32,{users},{ttft * (times if users == 4 else 1)},{tpot * (1 if users == 16 else times)}\n")
        path.write_text("input_len,output_len,concurrency,ttft_ms,tpot_ms\n" + "".join(rows))
        assert run(["calibrate", str(path), *QWEN]) == 0
        assert ("do not describe the machine" in capsys.readouterr().err) == poor


def test_calibrate_prints_constants_and_residuals(tmp_path, capsys):
    path = tmp_path / "points.csv"
    path.write_text("input_len,output_len,concurrency,ttft_ms,tpot_ms\n" + "".join(
        f"{length},32,{users},{40 + users * length / 40},{8 + users / 8}\n" for users in (1, 4, 8) for length in (100, 1000)))
    assert run(["calibrate", str(path), *QWEN]) == 0
    said = capsys.readouterr()
    assert "held out" in said.out and "points.csv, line 2" in said.out
    assert "mbu" in said.err and "use it with --set mbu=" in said.err


def test_explain_says_where_the_numbers_come_from(capsys):
    assert run(["sim", "--model", "llama-3-8b", "--rate", "1", "--requests", "10", "--explain"]) == 0
    assert "data sheet" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "says"), [
    (["sim", "--model", "llama3-70b", "--rate", "1"], "did you mean llama-3-70b"),
    (["sim", "--model", "deepseek-v3", "--rate", "1"], "takes 1342.0 GB"),
    (["sim", "--model", "llama-3-8b"], "no load is given"),
    (["sim", "--model", "llama-3-8b", "--rate", "fast"], "--rate is 'fast'"),
    (["sim", "--model", "llama-3-8b", "--rate", "0"], "rate is 0.0, but it must be a number above 0"),
    (["sim", "--rate", "1"], "no model is named"),
    (["sim", *QWEN, "--set", "mf=1", "--rate", "1"], "did you mean mfu"),
    (["sim", *QWEN, "--set", "mfu=high", "--rate", "1"], "'high' is not a number"),
    (["sim", *QWEN, "--rate", "1", "--json", "--csv"], "only one can be printed"),
    (["sim", *QWEN, "--trace", "nowhere.csv"], "nowhere.csv cannot be read"),
    (["knee", *QWEN, "--low", "50"], "high is 40.0, but it must be a number above 50"),
    (["calibrate", "nowhere.json", *QWEN], "nowhere.json cannot be read"),
])
def test_wrong_use_is_named_and_exit_code_2(words, says, capsys):
    assert run(words) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.out == ""


@pytest.mark.parametrize(("text", "says"), [
    ("[setup]\nmodle = 'x'\n", "[setup]: 'modle' is not known"),
    ("[slow]\nttft = 1\n", "'slow' is not known"),
    ("[slo]\nttft = 'fast'\n", "[slo] ttft is 'fast'"),
    ("setup\n", "is not TOML"),
])
def test_a_broken_config_is_named(tmp_path, capsys, text, says):
    path = tmp_path / "service.toml"
    path.write_text(text)
    assert run(["sim", "--config", str(path), "--rate", "1"]) == 2
    assert says in capsys.readouterr().err


def test_files_that_are_no_text_and_plots_over_answers_are_refused(shell, tmp_path):
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    mine = shell.write(180, "mine\n")
    one = ("sim", "--model", "llama-3-8b", "--rate", "1", "--requests", "5")
    for words in ((*one, "--config", tmp_path / "bytes.toml"), ("sim", "--model", "llama-3-8b", "--trace", tmp_path / "bytes.toml"),
                  ("calibrate", tmp_path / "bytes.toml", "--model", "llama-3-8b"), (*one, "--plot", mine)):  # fmt: skip
        done = shell.run(*words)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
        assert "bytes.toml is not" in done.stderr or "lies among your answers" in done.stderr
    assert mine.read_text() == "mine\n"
