"""Deaths: what is lost, when it is noticed, what comes back, and what a spare is for."""

from random import Random

import pytest
from sim.arrivals import poisson_workload
from sim.service.design import Group, Service
from sim.service.failures import Death, Failures
from sim.service.loop import simulate_fleet
from sim.service.rollout import Rollout
from sim.service.routers.plain import RoundRobin

from sim import simulate
from tests.sim.service.fleets import QWEN, calls

ONCE = Failures((Death(10.0, replica=0),), replaces=False)


def fleet(replicas, failures=None, **about):
    return Service(Group(QWEN, replicas, load_bandwidth=15.2e9, warm_up=9.0), failures=failures, **about)


def test_n_plus_1_keeps_its_slo_through_one_death_where_n_does_not():
    # One replica takes 22.5 req/s within TTFT 1 s and TPOT 40 ms (the knee), so 60 req/s need three.
    work = poisson_workload(60, 4800, 1024, 256, seed=1)
    slo = {"ttft_slo": 1.0, "tpot_slo": 0.04}
    shares = {}
    for replicas in (3, 4):
        alive = simulate_fleet(fleet(replicas), work).summary(**slo)["slo_ok"]
        shares[replicas] = alive, simulate_fleet(fleet(replicas, Failures((Death(10.0, replica=0),), health_count=1, replaces=False)), work).summary(**slo)["slo_ok"]
    assert shares[3][0] >= 0.99 and shares[4][0] >= 0.99
    assert shares[3][1] < 0.5
    assert shares[4][1] > 0.95, "only what was on the dead replica comes late"


@pytest.mark.parametrize(("time", "noticed"), [(10.0, 13.0), (10.2, 13.0), (10.99, 13.0), (11.0, 14.0)])
def test_a_death_is_noticed_at_the_third_check_after_it(time, noticed):
    assert Failures(health_period=1.0, health_count=3).noticed(time) == pytest.approx(noticed)


def test_a_dead_replica_is_sent_its_share_until_the_checks_notice():
    # 5000 req/s over 200 replicas, 3 s until it is noticed: 75 requests hit the dead one.
    work = poisson_workload(5000, 30_000, 10, 1, seed=0)
    failures = Failures((Death(2.0 + 1e-6, replica=7),), health_count=3, replaces=False)
    outcome = simulate_fleet(Service(Group(QWEN, 200), RoundRobin(), failures=failures), work)
    hit = sum(record.retries for record in outcome.records)
    assert hit == pytest.approx(75, abs=1)
    assert not outcome.rejections


def test_what_was_on_the_dead_replica_starts_again_elsewhere():
    work = calls(Random(1), 400, gap=0.05)
    outcome = simulate_fleet(fleet(2, ONCE), work)
    again = [record for record in outcome.records if record.retries]
    assert again and all(record.replica == 1 and record.scheduled >= 13.0 for record in again)
    assert all(record.finish <= 10.0 for record in outcome.records if record.replica == 0)


def test_resuming_keeps_the_tokens_that_were_streamed():
    work = poisson_workload(4, 80, 500, 400)
    outcome = simulate_fleet(fleet(2, Failures((Death(10.0, replica=0),), replaces=False, resume=True)), work)
    resumed = [record for record in outcome.records if record.earlier]
    assert resumed
    whole = simulate_fleet(fleet(2), work).records
    for record in resumed:
        assert record.earlier[-1] <= 10.0 and record.token_times[len(record.earlier)] > 13.0
        undisturbed = next(other for other in whole if other.arrival == record.arrival)
        assert record.earlier == tuple(time for time in undisturbed.token_times if time <= 10.0)
        assert record.last.input_len == record.input_len + len(record.earlier)


def test_without_retries_the_work_in_flight_is_lost():
    outcome = simulate_fleet(fleet(2, Failures((Death(10.0, replica=0),), retries=0)), calls(Random(1), 400))
    assert set(outcome.reasons()) == {"lost"}


def test_a_retry_budget_stops_a_storm():
    deaths = (Death(3.0, replica=0), Death(10.0, replica=2), Death(20.0, replica=3))
    work = poisson_workload(40, 1200, 1024, 256)
    free, tight = (simulate_fleet(fleet(4, Failures(deaths, retry_budget=budget)), work) for budget in (None, 0.05))
    assert sum(record.retries for record in free.records) > 0.06 * len(work)
    assert sum(record.retries for record in tight.records) <= 0.05 * len(work)
    assert tight.reasons()["retry budget"] > 0


def test_a_replacement_serves_after_its_cold_start_and_is_paid_from_its_start():
    outcome = simulate_fleet(fleet(2, Failures((Death(10.0, replica=0),))), calls(Random(1), 900, gap=0.1))
    new = outcome.replicas[2]
    assert (new.held_from, new.ready_at) == (pytest.approx(13.0), pytest.approx(13.0 + 1.0 + 9.0))
    assert min(record.scheduled for record in outcome.records if record.replica == 2) >= new.ready_at
    assert outcome.replicas[0].died_at == 10.0 and outcome.replicas[0].held_until == pytest.approx(13.0)


def test_a_zone_dies_at_once():
    group = Group(QWEN, 4, zones=2)
    outcome = simulate_fleet(Service(group, failures=Failures((Death(5.0, zone=1),), replaces=False)), calls(Random(1), 300))
    assert [life.died_at for life in outcome.replicas] == [None, 5.0, None, 5.0]


def test_mean_time_to_failure_is_that_of_the_deaths():
    outcome = simulate_fleet(Service(Group(QWEN, 8, warm_up=0.0), failures=Failures(mttf=20.0, retries=5)), poisson_workload(5, 3000, 100, 10))
    served = sum((life.died_at or life.held_until) - life.ready_at for life in outcome.replicas)
    deaths = sum(life.died_at is not None for life in outcome.replicas)
    assert deaths > 100 and served / deaths == pytest.approx(20.0, rel=0.2)


def test_when_all_have_died_for_good_the_rest_is_told_so():
    outcome = simulate_fleet(fleet(1, Failures((Death(1.0, replica=0),), replaces=False)), calls(Random(1), 100))
    assert set(outcome.reasons()) == {"no replica"}
    assert len(outcome.records) + len(outcome.rejections) == 100


def test_a_death_after_the_end_changes_nothing():
    work = calls(Random(1), 50)
    outcome = simulate_fleet(fleet(1, Failures((Death(1e6, replica=0),))), work)
    assert [record[:7] for record in outcome.records] == [record[:7] for record in simulate(QWEN, workload=work)]


def test_a_rollout_replaces_one_replica_at_a_time():
    work = poisson_workload(30, 3000, 1024, 128)
    outcome = simulate_fleet(fleet(3, rollout=Rollout(5.0)), work, sample=0.5)
    assert len(outcome.replicas) == 6 and not outcome.rejections
    assert min(sample.ready for sample in outcome.samples) == 2
    old, new = outcome.replicas[:3], outcome.replicas[3:]
    for before, after in zip(old, new):
        assert after.held_from == pytest.approx(before.held_until)
    assert [life.ready_at for life in new] == sorted(life.ready_at for life in new)


def test_a_bad_version_is_halted_after_the_first_death():
    work = poisson_workload(20, 3000, 512, 64)
    outcome = simulate_fleet(fleet(3, Failures(retries=3), rollout=Rollout(5.0, dies_after=4.0)), work)
    assert sum(life.died_at is not None for life in outcome.replicas) <= 2, "the second is on its way when the first is noticed"
    assert len(outcome.records) == len(work)


@pytest.mark.parametrize(("make", "says"), [
    (lambda: Death(1.0), "exactly one"),
    (lambda: Death(-1.0, replica=0), "time of a death is -1.0"),
    (lambda: Failures(health_period=0.0), "health_period is 0.0"),
    (lambda: Failures(mttf=float("nan")), "mttf is nan"),
    (lambda: Failures(retries=-1), "retries is -1"),
    (lambda: Service(Group(QWEN), rollout=Rollout(1.0, dies_after=1.0)), "give Failures()"),
    (lambda: simulate_fleet(fleet(2, Failures((Death(1.0, replica=5),), replaces=False)), calls(Random(1), 3)), "replica 5, but there are 2"),
])
def test_settings_that_make_no_sense_are_named(make, says):
    with pytest.raises(ValueError, match=says.replace("(", r"\(").replace(")", r"\)")):
        make()
