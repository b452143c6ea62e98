#!/usr/bin/env python3
"""Fleets: speed, memory, equality with one instance, the same workload on vllm-sr-sim, and three figures.

    python benchmarks/fleet.py [--python PEERS/bin/python] [--figures FOLDER] [--quick] [--only PART]

--python: an interpreter that has vllm-sr-sim, for the comparison (benchmarks/peers.py --install says which version).
--figures: writes death.svg, spike.svg and routers.svg there. Seconds are CPU seconds; large runs have a process of their
own, so that peak memory is theirs.
"""

import argparse
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import peers

from practice.sim.arrivals import diurnal_arrivals, poisson_workload, workload
from practice.sim.lengths import fixed, lognormal
from practice.sim.plot import Line, Panel, line_plot, panel_plot
from practice.sim.service.autoscaling import Autoscale
from practice.sim.service.call import Sessions
from practice.sim.service.design import Group, Service
from practice.sim.service.failures import Death, Failures
from practice.sim.service.loop import simulate_fleet
from practice.sim.service.routers.load import FewestRequests, PowerOfChoices
from practice.sim.service.routers.named import ROUTERS
from practice.sim.service.routers.prefix import PrefixAware
from practice.sim.setup import Setup
from practice.sim.simulation import simulate
from practice.sim.summary import percentile

QWEN = Setup(params=7.6e9, weight_bytes=15.2e9, kv_bytes_per_token=57344, kv_capacity_tokens=int(55e9 / 57344))
KV_70B = 2 * 80 * 8 * 128
LLAMA = Setup(70.6e9, 70.6e9, KV_70B, int((8 * 80e9 * 0.9 - 70.6e9) / KV_70B), peak_flops=8 * 1979e12, bandwidth=8 * 3.35e12, mfu=0.4,
              step_overhead=1.5e-3, max_num_seqs=512)
PARTS = ("hundred", "day", "one", "peer", "figures")


def hundred(quick):
    """100,000 requests of 2,000 / 500 on average at 200 req/s over 16 replicas, prefix caches and prefix-aware router."""
    count = 20_000 if quick else 100_000
    setup = replace(LLAMA, prefix_cache=True)
    for block in (512, 64):
        work = Sessions(50, count // 4, turns=4, system_prompts=10, system_len=512, user_len=295, output_len=500, block=block).calls()
        start = time.process_time()
        outcome = simulate_fleet(Service(Group(setup, 16), PrefixAware()), work)
        seconds = time.process_time() - start
        metrics = outcome.summary(2.0, 0.05)
        print(f"16 replicas, 200 req/s, {len(outcome.records):,} requests of {sum(r.input_len for r in work) / len(work):,.0f}/500, prefix-aware, caches "
              f"of {block}-token blocks: {seconds:.1f} s, {mib():.0f} MiB, hit rate {outcome.hit_rate:.0%}, TTFT P99 {metrics['ttft_p99'] * 1e3:.0f} ms "
              "(reach: 10 s, 1,024 MiB)", flush=True)


def day(quick):
    """A day of one million requests on 12 to 24 replicas."""
    share = 10 if quick else 1
    arrivals = diurnal_arrivals(1e6 / 86400, 2e6 / 86400 * 0.9, 86400 / share, seed=0, period=86400 / share)
    setup = Setup.for_model("llama-3-70b", gpu="a100", tp=4, mfu=0.4, step_overhead=1.5e-3)
    policy = Autoscale("requests", 12.0, 12, 24, period=15.0, down_cooldown=300.0)
    start = time.process_time()
    outcome = simulate_fleet(Service(Group(setup, 12, gpus=4, gpu_price=1.19, autoscale=policy)), workload(arrivals, fixed(2000), fixed(500)),
                             sample=300.0)
    seconds = time.process_time() - start
    ready = [sample.ready for sample in outcome.samples]
    print(f"a day{' / 10' if quick else ''} of diurnal traffic, {len(outcome.records):,} requests of 2000/500, {min(ready)} to {max(ready)} replicas of "
          f"4 A100 ({len(outcome.replicas)} lives): {seconds:.1f} s, {mib():.0f} MiB, cost {outcome.cost:,.0f} $ (reach: 120 s)")


def mib():
    """Peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def best(run, repeats):
    """(least CPU seconds, result) of several runs."""
    least, result = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        least = min(least, time.process_time() - start)
    return least, result


def one(quick):
    """One replica: equal to simulate, and how much slower."""
    work = poisson_workload(10, 20_000, 1024, 256)
    for name, setup in (("default settings", QWEN), ("blocks on demand", replace(QWEN, kv_policy="on_demand"))):
        alone, records = best(lambda setup=setup: simulate(setup, workload=work), 3 if quick else 7)
        fleet, outcome = best(lambda setup=setup: simulate_fleet(Service(Group(setup)), work), 3 if quick else 7)
        equal = all(one[:7] == other[:7] for one, other in zip(records, outcome.records, strict=True))
        print(f"one replica, 20,000 requests 1024/256, {name}: {'equal to simulate to the bit' if equal else 'DIFFERENT'}; {len(work) / fleet:,.0f} "
              f"against {len(work) / alone:,.0f} requests/s, {alone / fleet:.2f} of its speed (reach: 0.5)")
    spread = poisson_workload(160, 20_000, 1024, 256)
    for router in (FewestRequests(), PowerOfChoices()):
        seconds, _ = best(lambda router=router: simulate_fleet(Service(Group(QWEN, 16), router), spread), 1 if quick else 3)
        print(f"16 replicas, 160 req/s, {router}: {len(spread) / seconds:,.0f} requests/s")


_OURS = """
sys.path.insert(0, sys.argv[2])
from sim import Group, Request, Service, Setup, simulate_fleet
from sim.service.routers.plain import RandomChoice
arrivals = [arrival / 20 for arrival in arrivals]
requests = [Request(arrival, 2000, 500) for arrival in arrivals]
setup = Setup.for_model("llama-3-8b", gpu="h100")
measure(lambda: requests, lambda requests: len(simulate_fleet(Service(Group(setup, 16), RandomChoice()), requests).records), version="this commit",
        level="every step and token, one roofline; chunked prefill, KV reservation, random router")
"""
_VLLM_SR = """
from fleet_sim.core.fleet import Fleet, FleetConfig, PoolConfig
from fleet_sim.core.request import Request
from fleet_sim.gpu_profiles.profiles import H100_80GB
arrivals = [arrival / 20 for arrival in arrivals]
config = FleetConfig([PoolConfig("all", H100_80GB, 16, 4096)], router_type="RandomRouter")
prepare = lambda: [(at, Request(n, at, 2000, 500)) for n, at in enumerate(arrivals)]
measure(prepare, lambda requests: len(Fleet(config).run(requests).completed), version=version("vllm-sr-sim"),
        level="request: KV slots and a mean service time, no steps, no deaths, no prefix caches; random router")
"""


def peer(python, quick):
    """The same fleet workload on vllm-sr-sim."""
    count = 2_000 if quick else 20_000
    print(f"\n{count:,} requests 2000/500, Poisson 200 req/s, 16 H100, random router")
    rows = {"here": peers.measured(sys.executable, _OURS, count, str(ROOT)), "vllm-sr-sim": peers.measured(python, _VLLM_SR, count)}
    for name, row in rows.items():
        if "error" in row:
            print(f"  {name:<12} did not run: {row['error']}")
        else:
            print(f"  {name:<12} {row['done'] / row['seconds']:>10,.0f} requests/s of CPU  {row['done']:,} done  {row['version']}; {row['level']}")


def figures(folder):
    """The three figures, as SVG files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in (("death", death), ("spike", spike), ("routers", routers)):
        (folder / f"{name}.svg").write_text(draw(), encoding="utf-8")
        print(f"wrote {name}.svg")


def _windows(records, seconds, p):
    """(middles, percentile of TTFT) of windows of arrivals."""
    windows = {}
    for record in records:
        windows.setdefault(int(record.arrival / seconds), []).append(record.ttft)
    return [(n + 0.5) * seconds for n in sorted(windows)], [percentile(windows[n], p) for n in sorted(windows)]


def death():
    """TTFT over time through a death, with and without a spare."""
    work = poisson_workload(60, 7200, 1024, lognormal(256, 0.7), seed=1)
    lines = []
    for replicas, name in ((3, "N: 3 replicas"), (4, "N+1: 4 replicas")):
        group = Group(QWEN, replicas, load_bandwidth=7e9, warm_up=30.0)
        outcome = simulate_fleet(Service(group, failures=Failures((Death(30.0, replica=0),))), work)
        lines.append(Line(name, *_windows(outcome.records, 2.0, 99)))
        metrics = outcome.summary(1.0, 0.04)
        print(f"a death at 30 s, {name}: {metrics['slo_ok']:.1%} within the SLO, worst TTFT {max(r.ttft for r in outcome.records):.1f} s, {metrics['retried']} retried")
    return line_plot(lines, title="A replica dies at 30 s and its work starts again elsewhere", x_label="arrival of the request, s (60 req/s)", y_label="TTFT P99 of 2 s, s",
                     limit=1.0, limit_label="SLO", log_y=True)


def spike():
    """Replicas and queue through a spike, by cold start."""
    rng, now, times = Random(0), 0.0, []
    while now < 600:
        now += rng.expovariate(70.0 if 60 <= now < 360 else 15.0)
        times.append(now)
    work, panels = workload(times, fixed(1024), lognormal(256, 0.7)), ([], [])
    for name, warm_up, standby in (("cold start 30 s", 27.8, 0), ("cold start 3 min", 177.8, 0), ("3 min and 3 on standby", 177.8, 3)):
        policy = Autoscale("requests", 40.0, 1, 8, period=5.0, down_cooldown=120.0, standby=standby)
        group = Group(QWEN, 1, load_bandwidth=7e9, warm_up=warm_up, gpu_price=3.0, autoscale=policy)
        outcome = simulate_fleet(Service(group), work, sample=2.0)
        xs = [sample.time for sample in outcome.samples]
        panels[0].append(Line(name, xs, [sample.ready for sample in outcome.samples]))
        panels[1].append(Line(name, xs, [sample.waiting for sample in outcome.samples]))
        print(f"a spike, {name}: TTFT P99 {outcome.summary(1, 0.04)['ttft_p99']:.1f} s, cost {outcome.cost:.2f} $")
    return panel_plot([Panel(panels[0], "time, s", "replicas that serve"), Panel(panels[1], "time, s", "requests waiting")],
                      title="15 to 70 req/s from 60 s to 360 s, autoscaling on requests")


def routers():
    """Hit rate and P99 TTFT by router, over the load."""
    names = ("round-robin", "fewest-requests", "session", "prefix-aware", "prefix-only")
    # Room for little more than what runs, so that where a conversation goes decides what is still there.
    setup = replace(QWEN, prefix_cache=True, kv_capacity_tokens=300_000)
    hits, tails = [], []
    rates = (4, 6, 8, 10)
    for name in names:
        outcomes = [simulate_fleet(Service(Group(setup, 4), ROUTERS[name]),
                                   Sessions(rate, 120 * rate, turns=6, think=20.0, system_prompts=8, system_len=2048, user_len=512,
                                            output_len=lognormal(256, 0.7), seed=1).calls()) for rate in rates]
        xs = [rate * 6 for rate in rates]
        hits.append(Line(name, xs, [100 * outcome.hit_rate for outcome in outcomes]))
        tails.append(Line(name, xs, [outcome.summary(1, 0.04)["ttft_p99"] for outcome in outcomes]))
        print(f"{name}: " + ", ".join(f"{x:g} req/s hit {hit:.0f}% TTFT P99 {tail:.2f} s" for x, hit, tail in zip(xs, hits[-1].ys, tails[-1].ys)))
    return panel_plot([Panel(hits, "turns per second", "hit rate, % of tokens"), Panel(tails, "turns per second", "TTFT P99, s", log_y=True)],
                      title="Four replicas, conversations of six turns, by router", width=760)


def alone(part, quick):
    """Runs a part in a process of its own."""
    subprocess.run([sys.executable, __file__, "--only", part, "--here", *(["--quick"] if quick else [])], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", help="an interpreter that has vllm-sr-sim")
    parser.add_argument("--figures", type=Path, metavar="FOLDER")
    parser.add_argument("--quick", action="store_true", help="a tenth of the large parts")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    wanted = options.only or PARTS
    if not options.here:
        print(f"CPython {sys.version.split()[0]}", flush=True)
    for name, part in (("hundred", hundred), ("day", day)):
        if name in wanted:
            if options.here:
                part(options.quick)
            else:
                alone(name, options.quick)
    if "one" in wanted:
        one(options.quick)
    if "peer" in wanted and options.python:
        peer(options.python, options.quick)
    if "figures" in wanted and options.figures:
        figures(options.figures)


if __name__ == "__main__":
    main()
