"""`judge.py plan`: files, words, processes, and a cluster that loses a worker."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from practice.cli.plan import command
from practice.cli.planfile import example, read_question
from practice.kernel.errors import PracticeError

SMALL = """
[load]
input = 500
output = 100
rate = 40
requests = 400
[slo]
ttft = 1.0
tpot = 0.03
[plan]
most = 8
[[candidate]]
model = "qwen2.5-7b"
gpu = ["h100", "l40s"]
router = ["fewest-requests", "two-choices"]
gpu_price = 2.0
"""


@pytest.fixture
def plan_file(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(SMALL)
    return path


def invoke(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments], standalone_mode=False)


def test_the_table_names_the_cheapest_first_and_stderr_says_what_to_verify(plan_file):
    done = invoke(plan_file)
    assert done.return_value == 0
    lines = done.stdout.splitlines()
    assert lines[0].split()[:2] == ["candidate", "replicas"]
    assert len(lines) == 5 and lines[1].lstrip().startswith("*")
    assert "Before you believe it, load test" in done.stderr and "calibrate" in done.stderr


def test_json_and_csv_hold_every_candidate(plan_file):
    rows = json.loads(invoke(plan_file, "--json").stdout)
    assert {row["candidate"] for row in rows} == {f"{gpu} {router}" for gpu in ("h100", "l40s") for router in ("fewest-requests", "two-choices")}
    assert all(row["replicas"] == row["needed"] + 1 and row["verify"] for row in rows if row["feasible"])
    assert len(invoke(plan_file, "--csv").stdout.splitlines()) == 5


def test_plot_writes_svg(plan_file, tmp_path):
    done = invoke(plan_file, "--plot", tmp_path / "front.svg")
    assert (tmp_path / "front.svg").read_text().startswith("<svg") and "wrote" in done.stderr


def test_nothing_that_meets_the_slo_is_exit_code_1_with_the_reasons(plan_file):
    plan_file.write_text(SMALL.replace("tpot = 0.03", "tpot = 0.001"))
    done = invoke(plan_file)
    assert done.return_value == 1
    assert "no candidate meets the SLO" in done.stderr and "TPOT" in done.stderr


def test_a_model_that_does_not_fit_is_told_and_the_others_are_planned(plan_file):
    plan_file.write_text(SMALL.replace("qwen2.5-7b", "llama-3-70b").replace('gpu = ["h100", "l40s"]', "tp = [1, 4]"))
    rows = json.loads(invoke(plan_file, "--json").stdout)
    unfit = [row for row in rows if row["candidate"].startswith("tp1")]
    assert all(not row["feasible"] and row["binds"] == "memory" and "GB" in row["verify"][0] for row in unfit) and len(unfit) == 2
    assert rows[0]["candidate"].startswith("tp4") and rows[0]["feasible"]


def test_the_example_is_a_plan_file(tmp_path):
    assert invoke("--example").stdout == example()
    path = tmp_path / "plan.toml"
    path.write_text(example())
    question = read_question(path)
    assert len(question.candidates) == 8 and len(question.workload) == 6000 and question.options == {"spares": 1, "share": 0.99, "most": 64}


@pytest.mark.parametrize(("old", "new", "says", "hint"), [
    ("[[candidate]]", "[[kandidate]]", "has no [[candidate]]", "--example"),
    ("[slo]", "[sla]", "[sla]' is not known", "[slo]"),
    ("rate = 40", "rat = 40", "'rat' is not known", "rate"),
    ("rate = 40", "", "neither rate nor trace", "rate = 60"),
    ("rate = 40", "rate = '40'", "of the wrong kind", ""),
    ("rate = 40", "rate = -1", "rate is -1", ""),
    ("most = 8", "most = true", "of the wrong kind", ""),
    ("gpu_price = 2.0", "gpu_prize = 2.0", "'gpu_prize' is not known", "gpu_price"),
    ('model = "qwen2.5-7b"', 'model = "qwen"', "qwen", ""),
    ('model = "qwen2.5-7b"', "", "names no model, and params", "model ="),
    ("two-choices", "three-choices", "router is 'three-choices'", ""),
    ("[plan]", "[plan", "is not TOML", ""),
])
def test_a_file_that_cannot_be_planned_is_named(plan_file, old, new, says, hint):
    plan_file.write_text(SMALL.replace(old, new))
    error = invoke(plan_file).exception
    assert isinstance(error, PracticeError)
    assert says in error.message
    assert hint in (error.hint or "")


def test_wrong_use_is_named(plan_file, tmp_path):
    for arguments, says in (((), "no plan file is named"), ((tmp_path / "none.toml",), "cannot be read"),
                            ((plan_file, "--jobs", 2, "--scheduler", "tcp://127.0.0.1:1"), "one or the other"), ((plan_file, "--json", "--csv"), "only one")):
        assert says in str(invoke(*arguments).exception)


@pytest.mark.slow
def test_processes_give_the_same_answer(plan_file):
    assert invoke(plan_file, "--json", "--jobs", 2).stdout == invoke(plan_file, "--json").stdout


@pytest.mark.slow
def test_a_dask_cluster_that_loses_a_worker_gives_the_same_answer(plan_file, root, tmp_path):
    pytest.importorskip("distributed", reason="Dask is an optional extra: pip install 'inference-practice[cluster]'")
    from distributed import Client, LocalCluster

    text = SMALL.replace("requests = 400", "requests = 1500").replace('["fewest-requests", "two-choices"]', str(["fewest-requests", "two-choices", "random", "fewest-tokens"]))
    plan_file.write_text(text)
    alone = json.loads(invoke(plan_file, "--json").stdout)
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", local_directory=tmp_path) as cluster:
        with Client(cluster) as client:
            client.run(sys.path.insert, 0, str(root))
            search = subprocess.Popen([sys.executable, str(root / "judge.py"), "plan", str(plan_file), "--json", "--scheduler", cluster.scheduler_address],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
            victim = None
            for _ in range(600):
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                if busy:
                    victim = client.run(os.getpid, workers=[busy[0]])[busy[0]]
                    break
                time.sleep(0.05)
            assert victim, "the search had begun"
            os.kill(victim, signal.SIGKILL)
            assert search.poll() is None, "killed in mid-search"
            out, errors = search.communicate(timeout=120)
    assert search.returncode == 0, errors
    assert json.loads(out) == alone
