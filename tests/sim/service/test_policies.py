"""Autoscaling, the gateway, tiers, disaggregation, LoRA and pools: each against what it promises."""

from dataclasses import replace
from math import inf
from random import Random

import pytest
from sim.arrivals import poisson_workload, workload
from sim.lengths import fixed
from sim.service.autoscaling import Autoscale
from sim.service.call import Call, Sessions, as_call
from sim.service.design import Group, Service
from sim.service.disaggregation import Disaggregation
from sim.service.loop import simulate_fleet
from sim.service.lora import Lora
from sim.service.overload import Buckets, Overload, Waiting
from sim.service.routers.plain import RoundRobin
from sim.service.tiers import Tiers
from sim.workload import poisson_arrivals

from sim import Request, percentile, simulate
from tests.sim.service.fleets import QWEN, calls


def spike(low=5.0, high=60.0, begin=30.0, end=150.0, until=200.0):
    rng, now, times = Random(0), 0.0, []
    while True:
        now += rng.expovariate(high if begin <= now < end else low)
        if now > until:
            return workload(times, fixed(1024), fixed(256))
        times.append(now)


# Cold start: 1 s of weights and 29 s of warm-up.
def scaled(standby=0, warm_up=29.0, **about):
    policy = Autoscale("requests", 60.0, 1, 8, period=5.0, down_cooldown=20.0, standby=standby, **about)
    return Service(Group(QWEN, 1, load_bandwidth=15.2e9, warm_up=warm_up, gpu_price=3.6, autoscale=policy))


def test_autoscaling_follows_a_spike_and_comes_back():
    outcome = simulate_fleet(scaled(), spike(), sample=1.0)
    ready = [sample.ready for sample in outcome.samples]
    assert ready[29] == 1 and max(ready) >= 4 and ready[-1] == 1
    starts = [life for life in outcome.replicas if life.held_from > 0]
    assert all(life.ready_at == life.held_from + 30.0 for life in starts)
    assert all(life.held_from % 5.0 == 0 for life in starts), "replicas are asked for when the scaler looks"
    assert not outcome.rejections


def test_a_hot_standby_shortens_the_queue_and_is_paid_for():
    cold, hot = (simulate_fleet(scaled(standby), spike(), sample=1.0) for standby in (0, 2))
    worst = [max(record.ttft for record in outcome.records) for outcome in (cold, hot)]
    assert worst[1] < 0.7 * worst[0]
    assert (hot.samples[0].ready, hot.samples[0].held) == (1, 3), "a standby serves nothing until it is wanted"
    assert not any(record.replica in (1, 2) and record.scheduled < 30.0 for record in hot.records)
    calm = spike(begin=1e9)
    assert simulate_fleet(scaled(2), calm).cost == pytest.approx(3 * simulate_fleet(scaled(0), calm).cost, rel=0.01)


def test_every_held_second_is_paid():
    outcome = simulate_fleet(Service(Group(QWEN, 2, gpus=4, gpu_price=2.5)), spike())
    assert outcome.cost == pytest.approx(outcome.end * 2 * 4 * 2.5 / 3600)
    assert outcome.summary(1, 0.04)["cost_per_hour"] == pytest.approx(20.0)


def test_longer_cold_starts_make_longer_queues():
    worst = [max(record.ttft for record in simulate_fleet(scaled(warm_up=seconds), spike()).records) for seconds in (0.0, 29.0, 90.0)]
    assert worst == sorted(worst) and worst[2] > 2 * worst[0]


@pytest.mark.parametrize(("active", "total", "wanted"), [(4, 200, 7), (4, 128, 4), (4, 140, 4), (4, 142, 5), (4, 0, 1), (1, 1e9, 64), (0, 10, 1)])
def test_replicas_wanted(active, total, wanted):
    assert Autoscale(target=32.0).wanted(active, total) == wanted


def test_the_gateway_holds_back_above_the_concurrency():
    outcome = simulate_fleet(Service(Group(QWEN, 2), overload=Overload(concurrency=3)), calls(Random(1), 200, gap=0.01))
    for record in outcome.records:
        at_once = sum(o.scheduled <= record.scheduled < o.finish for o in outcome.records if o.replica == record.replica)
        assert at_once <= 3


def test_a_full_queue_turns_away_and_sheds_the_least_important():
    rng = Random(1)
    work = [replace(call, priority=rng.randrange(3)) for call in calls(rng, 300, gap=0.15)]
    base = Overload(concurrency=2, queue_limit=5, order="priority")
    plain = simulate_fleet(Service(Group(QWEN), overload=base), work)
    shed = simulate_fleet(Service(Group(QWEN), overload=replace(base, sheds=True)), work)
    assert set(plain.reasons()) == {"queue full"} and set(shed.reasons()) == {"queue full", "shed"}
    lost = [sum(work[rejection.number].priority == 0 for rejection in outcome.rejections) for outcome in (plain, shed)]
    assert lost[1] < 0.6 * lost[0]


def test_a_deadline_turns_away_at_its_time():
    outcome = simulate_fleet(Service(Group(QWEN), overload=Overload(concurrency=2, deadline=0.5)), calls(Random(1), 300, gap=0.01))
    assert outcome.reasons()["deadline"] > 50
    assert all(r.time == pytest.approx(r.arrival + 0.5) for r in outcome.rejections)
    assert all(record.scheduled - record.arrival <= 0.5 + 0.05 for record in outcome.records)


def test_token_buckets_hold_a_tenant_to_its_rate():
    work = [as_call(request, tenant="greedy") for request in poisson_workload(50, 1000, 100, 100)]
    outcome = simulate_fleet(Service(Group(QWEN), overload=Overload(tenant_rate=2000.0, tenant_burst=4000.0)), work)
    served = sum(record.input_len + record.output_len for record in outcome.records)
    assert served <= 4000 + 2000 * work[-1].arrival
    assert served > 0.9 * (4000 + 2000 * work[-1].arrival)
    bucket = Buckets(10.0, 50.0)
    assert [bucket.take("a", 50, 0.0), bucket.take("a", 1, 0.0), bucket.take("b", 50, 0.0), bucket.take("a", 10, 1.0)] == [True, False, True, True]


def test_fair_sharing_keeps_a_quiet_tenant_fast_beside_a_greedy_one():
    rng = Random(2)
    greedy = [Call(t, 500, 200, tenant="greedy") for t in poisson_arrivals(40, 1500, 1)]
    quiet = [Call(t, 500, 200, tenant="quiet") for t in poisson_arrivals(1, 35, rng.randrange(100))]
    work = sorted(greedy + quiet, key=lambda call: call.arrival)
    mean = {}
    for order in ("fcfs", "fair"):
        outcome = simulate_fleet(Service(Group(replace(QWEN, max_num_seqs=8)), overload=Overload(concurrency=8, order=order)), work)
        waits = [record.ttft for record, call in zip(outcome.records, work) if call.tenant == "quiet"]
        mean[order] = sum(waits) / len(waits)
    assert mean["fair"] < 0.1 * mean["fcfs"]


def test_an_absent_tenant_saves_nothing_up():
    waiting = Waiting("fair")
    for number in range(10):
        waiting.add(number, Call(0.0, 100, 0, tenant="a"))
    for _ in range(5):
        waiting.pop()
    for number in range(10, 20):
        waiting.add(number, Call(0.0, 100, 0, tenant="b"))
    taken = [waiting.pop()[1].tenant for _ in range(6)]
    assert sorted(taken) == ["a", "a", "a", "b", "b", "b"]


def test_pools_by_length_take_what_they_say():
    work = calls(Random(1), 200)
    outcome = simulate_fleet(Service([Group(QWEN, 2, most_tokens=999), Group(QWEN, 1, least_tokens=1000)]), work)
    assert all((outcome.replicas[r.replica].group == 1) == (r.input_len >= 1000) for r in outcome.records)


def test_a_long_context_pool_spares_short_prompts():
    rng = Random(3)
    work = workload(poisson_arrivals(20, 1500, 1), lambda _: 60_000 if rng.random() < 0.05 else 500, fixed(100))
    setup = replace(QWEN, kv_capacity_tokens=400_000)
    one = simulate_fleet(Service(Group(setup, 4), RoundRobin()), work).records
    two = simulate_fleet(Service([Group(setup, 2, most_tokens=10_000), Group(setup, 2, least_tokens=10_001)], RoundRobin()), work).records
    short = [percentile([r.ttft for r in records if r.input_len == 500], 99) for records in (one, two)]
    assert short[1] < 0.2 * short[0]


def test_priority_classes_have_their_own_replicas():
    work = calls(Random(1), 100)
    outcome = simulate_fleet(Service([Group(QWEN, 1, priorities=(0,)), Group(QWEN, 1, priorities=(1, 2))]), work)
    assert all(record.replica == (call.priority > 0) for record, call in zip(outcome.records, work))


def split(prefill=1, decode=1, **about):
    return Service([Group(QWEN, prefill, "prefill"), Group(QWEN, decode, "decode")], disaggregation=Disaggregation(**about))


def test_one_request_through_prefill_and_decode_takes_what_it_takes_alone_and_the_transfer():
    request = Request(0.0, 4096, 100)
    record, = simulate_fleet(split(link_bandwidth=50e9, link_latency=1e-3), [request]).records
    alone, = simulate(QWEN, workload=[request])
    assert record.ttft == pytest.approx(alone.ttft)
    assert record.finish - alone.finish == pytest.approx(4096 * 57344 / 50e9 + 1e-3, rel=1e-4)
    assert record.token_times[1] - record.token_times[0] == pytest.approx(4096 * 57344 / 50e9 + 1e-3 + alone.token_times[1] - alone.token_times[0],
                                                                            rel=1e-4)


@pytest.mark.parametrize(("transfer", "exposed"), [(8.3886e-3, 0.1049e-3), (1.074, 0.76323)])
def test_layer_by_layer_transfer_exposes_the_published_rest(transfer, exposed):
    assert Disaggregation(layers=80).exposed(transfer, 0.3147) == pytest.approx(exposed, rel=1e-3)
    assert Disaggregation().exposed(transfer, 0.3147) == transfer


def test_disaggregation_takes_prefill_out_of_the_gaps_between_tokens():
    work = poisson_workload(12, 600, 4096, 128)
    together = simulate_fleet(Service(Group(QWEN, 2)), work).summary(2, 0.05)
    apart = simulate_fleet(split(), work).summary(2, 0.05)
    assert apart["tpot_p99"] < 0.6 * together["tpot_p99"]
    assert apart["ttft_p99"] > together["ttft_p99"]


def test_reserving_decode_first_never_promises_more_than_there_is():
    small = replace(QWEN, kv_capacity_tokens=6000)
    work = poisson_workload(30, 300, 1000, 200)
    service = Service([Group(QWEN, 2, "prefill"), Group(small, 2, "decode")], disaggregation=Disaggregation(reserve_decode=True))
    outcome = simulate_fleet(service, work)
    assert len(outcome.records) == 300
    for record in outcome.records[::10]:
        held = sum(1200 for o in outcome.records if o.replica == record.replica and o.first_token <= record.last.scheduled < o.finish)
        assert held <= 6000
        assert record.last.scheduled - record.last.arrival < 0.1, "room was promised, so decode begins at once"


CACHED = replace(QWEN, prefix_cache=True, kv_capacity_tokens=12_000)


@pytest.mark.parametrize("tiers", [Tiers(host_tokens=10**6), Tiers(shared_tokens=10**6), Tiers(30_000, shared_tokens=10**6)])
def test_slower_tiers_raise_the_hit_rate_and_lower_ttft(tiers):
    work = Sessions(3, 100, turns=4, think=20.0, system_prompts=5, system_len=2048, seed=4).calls()
    none = simulate_fleet(Service(Group(CACHED, 2), RoundRobin()), work)
    some = simulate_fleet(Service(Group(CACHED, 2), RoundRobin(), tiers=tiers), work)
    assert some.hit_rate > 1.5 * none.hit_rate
    assert some.summary(1, 1)["ttft_mean"] < none.summary(1, 1)["ttft_mean"]
    assert all(r.cached_tokens + r.loaded_tokens < r.input_len for r in some.records)


def test_a_load_from_host_memory_takes_its_bytes_over_the_bandwidth():
    hashes = tuple(range(64))
    other = tuple(range(100, 164))
    work = [Request(0.0, 4096, 2, 0, hashes, 64), Request(1.0, 4096, 2, 0, other, 64), Request(2.0, 4096, 2, 0, hashes, 64)]
    setup = replace(QWEN, prefix_cache=True, kv_capacity_tokens=4100)
    record = simulate_fleet(Service(Group(setup), tiers=Tiers(host_tokens=10_000, host_bandwidth=25e9)), work).records[2]
    assert record.loaded_tokens == 4095
    step = (15.2e9 + 57344 * 4095) / 3.35e12 + 0.5e-3
    assert record.ttft == pytest.approx(4096 * 57344 / 25e9 + step)


def test_a_load_that_is_slower_than_computing_is_left():
    work = [Request(float(n), 4096, 2, 0, tuple(range(n % 2 * 100, n % 2 * 100 + 64)), 64) for n in range(4)]
    setup = replace(QWEN, prefix_cache=True, kv_capacity_tokens=4200)
    records = simulate_fleet(Service(Group(setup), tiers=Tiers(host_tokens=10_000, host_bandwidth=1e9)), work).records
    assert [record.loaded_tokens for record in records] == [0, 0, 0, 0]


def test_an_adapter_is_loaded_once_and_waits_for_the_link():
    lora = Lora(adapter_bytes=1e9, slots=2, host_slots=2, host_bandwidth=10e9, store_bandwidth=1e9, compute_share=0.0)
    group = Group(replace(QWEN, kv_capacity_tokens=100_000))
    work = [Call(0.0, 10, 2, adapter="a"), Call(5.0, 10, 2, adapter="a"), Call(10.0, 10, 2, adapter="b"), Call(20.0, 10, 2, adapter="c"),
            Call(30.0, 10, 2, adapter="b"), Call(40.0, 10, 2, adapter="a"), Call(50.0, 10, 2)]
    waits = [record.scheduled - record.arrival for record in simulate_fleet(Service(group, lora=lora), work).records]
    # From the store 1 s and over the link 0.1 s; c evicts a from the GPU and from host memory; b is still resident.
    assert waits == pytest.approx([1.1, 0.0, 1.1, 1.1, 0.0, 1.1, 0.0])


def test_more_adapters_at_once_than_slots_wait_for_a_slot():
    lora = Lora(adapter_bytes=1e6, slots=1)
    work = [Call(0.0, 10, 200, adapter="a"), Call(0.01, 10, 2, adapter="b")]
    first, second = simulate_fleet(Service(Group(QWEN), lora=lora), work).records
    assert second.scheduled >= first.finish


@pytest.mark.parametrize(("make", "says"), [
    (lambda: Service([]), "groups is empty"),
    (lambda: Group(QWEN, 0), "replicas is 0"),
    (lambda: Group(QWEN, 2.5), "replicas is 2.5"),
    (lambda: Group(QWEN, least_tokens=10, most_tokens=9), "the group takes no request"),
    (lambda: Group(QWEN, 9, autoscale=Autoscale(maximum=4)), "keeps it from 1 to 4"),
    (lambda: Group(QWEN, gpu_price=inf), "gpu_price is inf"),
    (lambda: Service(Group(QWEN, 1, "prefill")), "either all both, or prefill and decode"),
    (lambda: Service(Group(QWEN), disaggregation=Disaggregation()), "belong together"),
    (lambda: Service(Group(QWEN), tiers=Tiers(100)), "prefix_cache on"),
    (lambda: Service(Group(QWEN), stale=-1.0), "stale is -1.0"),
    (lambda: Tiers(), "both 0"),
    (lambda: Overload(deadline=1.0), "without concurrency"),
    (lambda: Overload(concurrency=0), "concurrency is 0"),
    (lambda: Overload(concurrency=1, sheds=True), "without queue_limit"),
    (lambda: Autoscale("speed"), "signal is 'speed'"),
    (lambda: Autoscale(minimum=5, maximum=4), "maximum is 4"),
    (lambda: Autoscale(period=0.0), "period is 0.0"),
    (lambda: simulate_fleet(Service(Group(QWEN), lora=Lora(slots=10_000)), calls(Random(1), 2)), "more than the KV cache"),
    (lambda: simulate_fleet(Service(Group(replace(QWEN, kv_capacity_tokens=50))), [Request(0.0, 40, 20)]), "request 0 has 60 tokens"),
    (lambda: simulate_fleet(Service(Group(QWEN, most_tokens=5)), [Request(0.0, 40, 20)]), "no group takes a request of 40"),
    (lambda: simulate_fleet(Service(Group(QWEN)), [Request(1.0, 1, 1), Request(0.0, 1, 1)]), "sort the workload"),
    (lambda: simulate_fleet(Service(Group(QWEN)), [Request(0.0, 1, 1)], sample=-1.0), "sample is -1.0"),
])
def test_settings_that_make_no_sense_are_named(make, says):
    with pytest.raises(ValueError) as caught:
        make()
    assert says in str(caught.value)


def test_an_empty_workload_is_an_empty_outcome():
    outcome = simulate_fleet(Service(Group(QWEN, 2)), [])
    assert (outcome.records, outcome.rejections, outcome.end) == ([], [], 0.0)
    with pytest.raises(ValueError, match="no request finished"):
        outcome.summary(1, 1)
