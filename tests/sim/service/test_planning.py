"""plan: the fewest replicas, the spare, the front, and what binds."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sim.arrivals import poisson_workload
from sim.service.autoscaling import Autoscale
from sim.service.design import Group, Service
from sim.service.loop import simulate_fleet
from sim.service.planning import Candidate, Option, Plan, plan
from sim.service.routers.load import FewestRequests
from sim.service.routers.plain import RandomChoice

from sim import Setup
from tests.sim.service.fleets import QWEN

WORK = poisson_workload(60, 1500, 1024, 256, seed=1)
SLO = (1.0, 0.04)
FAST = replace(QWEN, peak_flops=2 * QWEN.peak_flops, bandwidth=2 * QWEN.bandwidth)
BASE = Candidate("base", QWEN, 1, 2.0)


def test_the_fewest_replicas_are_found_and_a_spare_is_added():
    option = plan(WORK, SLO, [BASE]).best
    shares = {n: simulate_fleet(Service(Group(QWEN, n)), WORK).summary(*SLO)["slo_ok"] for n in (option.needed - 1, option.needed)}
    assert shares[option.needed - 1] < 0.99 <= shares[option.needed]
    assert (option.replicas, option.gpus, option.cost_per_hour) == (option.needed + 1, option.needed + 1, pytest.approx(2.0 * (option.needed + 1)))
    assert option.survives > 0.9
    assert option.metrics["cost_per_million_output_tokens"] == pytest.approx(option.cost_per_million_output_tokens)


def test_the_cheapest_comes_first_and_the_front_holds_what_nothing_beats():
    dear, slow = Candidate("dear", FAST, 1, 9.0), Candidate("slow", replace(QWEN, mfu=0.3), 1, 2.0)
    found = plan(WORK, SLO, [dear, slow, BASE])
    costs = [option.cost_per_hour for option in found.options]
    assert costs == sorted(costs) and found.best.candidate is BASE
    assert [option.candidate.name for option in found.front] == ["base", "dear"]


def test_of_equal_prices_only_the_faster_is_on_the_front():
    sums = ((79.99999999999999, 0.8), (80.0, 0.6), (80.00000000000001, 0.7), (100.0, 0.3))
    options = tuple(Option(BASE, True, 7, 8, 32, cost, 0.8, {"ttft_p99": ttft}, 1.0, "TPOT", ()) for cost, ttft in sums)
    assert [option.metrics["ttft_p99"] for option in Plan(options).front] == [0.6, 0.3]


@pytest.mark.parametrize(("setup", "slo", "router", "binds"), [
    (QWEN, (5.0, 0.0075), FewestRequests(), "TPOT"),
    (QWEN, (0.1, 1.0), FewestRequests(), "TTFT"),
    (replace(QWEN, kv_capacity_tokens=20_000), (1.0, 0.04), FewestRequests(), "memory"),
])
def test_what_binds(setup, slo, router, binds):
    assert plan(WORK, slo, [Candidate("x", setup, 1, 2.0, router)], most=64).options[0].binds == binds


def test_a_worse_router_needs_more_replicas():
    work = poisson_workload(200, 3000, 1024, 64, seed=1)
    fewest, random = plan(work, (0.3, 0.04), [Candidate("random", QWEN, 1, 2.0, RandomChoice()), Candidate("fewest", QWEN, 1, 2.0)]).options
    assert (fewest.candidate.name, random.candidate.name) == ("fewest", "random")
    assert random.needed > fewest.needed


def test_what_cannot_meet_the_slo_says_why():
    never, small, unfit = plan(WORK, (1.0, 0.001), [
        BASE, Candidate("small", replace(QWEN, kv_capacity_tokens=1000)), Candidate("unfit", None, unfit="takes 141 GB")], most=4).options
    assert not (never.feasible or small.feasible or unfit.feasible)
    assert never.binds == "TPOT"
    assert small.binds == unfit.binds == "memory"
    assert "1280 tokens" in small.verify[0] and "141 GB" in unfit.verify[0]
    assert plan(WORK, (1.0, 0.001), [BASE], most=4).best is None


def test_autoscaling_pays_for_what_it_holds():
    scaled = replace(BASE, name="scaled", autoscale=Autoscale("requests", 40.0, period=5.0, down_cooldown=10.0))
    option = plan(WORK[:600] + [replace(r, arrival=r.arrival + 600) for r in WORK[:600]], SLO, [scaled]).options[0]
    assert 0 < option.cost_per_hour < 2.0 * option.replicas
    assert any("cold starts" in words for words in option.verify)


def test_an_executor_gives_the_same_plan():
    candidates = [BASE, Candidate("fast", FAST, 1, 5.0)]
    done = []
    with ThreadPoolExecutor(2) as executor:
        assert plan(WORK, SLO, candidates, executor=executor, progress=done.append) == plan(WORK, SLO, candidates)
    assert done == [1, 2]


@pytest.mark.parametrize(("arguments", "says"), [
    ({"candidates": []}, "candidates is empty"),
    ({"workload": []}, "workload is empty"),
    ({"slo": (0.0, 0.04)}, "ttft is 0.0"),
    ({"slo": (1.0, float("nan"))}, "tpot is nan"),
    ({"spares": -1}, "spares is -1"),
    ({"most": 0}, "most is 0"),
    ({"share": 1.5}, "share is 1.5"),
])
def test_questions_that_make_no_sense_are_named(arguments, says):
    with pytest.raises(ValueError, match=says):
        plan(**({"workload": WORK, "slo": SLO, "candidates": [BASE]} | arguments))


def test_a_plan_can_be_pickled():
    import pickle

    found = plan(WORK[:200], SLO, [Candidate("one", Setup(7.6e9, 15.2e9, 57344, 959_123), 1, 2.0)])
    assert pickle.loads(pickle.dumps(found)) == found
