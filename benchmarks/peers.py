#!/usr/bin/env python3
"""The same workload on this simulator and on others from PyPI, side by side; versions and settings are printed.

    python benchmarks/peers.py --python PEERS/bin/python      # an interpreter that has vllm-sr-sim and sched-sim
    python benchmarks/peers.py --install                      # makes such an environment in a temporary folder first

Workload: 2,000 requests (and 20,000 where the peer is fast enough), 1024 tokens in and 256 out, Poisson arrivals at 10 requests/s
from random.Random(0), one instance. Each simulator runs in a process of its own; CPU seconds are of the simulation alone, the
least of three runs, and peak memory is the process's. The peers model other things: `level` says at which level each works.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("vllm-sr-sim==0.1.0.dev20260713123629", "sched-sim==0.2.1")

_COMMON = """
import json, random, resource, sys, time
from importlib.metadata import version
count = int(sys.argv[1])
rng, now, arrivals = random.Random(0), 0.0, []
for _ in range(count):
    now += rng.expovariate(10)
    arrivals.append(now)
def measure(prepare, run, **about):
    least = float("inf")
    for _ in range(3 if count <= 2000 else 1):
        ready = prepare()
        start = time.process_time()
        done = run(ready)
        least = min(least, time.process_time() - start)
    print(json.dumps({"seconds": least, "done": done, "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, **about}))
"""

_OURS = """
sys.path.insert(0, sys.argv[2])
from sim import Setup, simulate
setup = Setup(7.6e9, 15.2e9, 57344, 959123)
def run(engine):
    return len(simulate(setup, 10, count, 1024, 256, engine=engine))
measure(lambda: sys.argv[3], run, version="this commit", level="every step, token times of every token")
"""

_VLLM_SR = """
from fleet_sim.core.fleet import Fleet, FleetConfig, PoolConfig
from fleet_sim.core.request import Request
from fleet_sim.gpu_profiles.profiles import H100_80GB
config = FleetConfig([PoolConfig("all", H100_80GB, 1, 4096)], router_type="RandomRouter")
def prepare():
    return [(at, Request(n, at, 1024, 256)) for n, at in enumerate(arrivals)]
measure(prepare, lambda requests: len(Fleet(config).run(requests).completed), version=version("vllm-sr-sim"),
        level="request: slots and a mean service time, no steps (H100_80GB profile, one GPU, RandomRouter)")
"""

_SCHED = """
from sched_sim.core.event_engine import Simulator
from sched_sim.core.request import Request
from sched_sim.hardware.profile import HardwareProfile
from sched_sim.schedulers.factory import create_scheduler
hardware = HardwareProfile(name="H100", vram_gb=80, memory_bandwidth_gb_s=3350, fp16_tflops=989, tensor_core_efficiency=0.5,
                           kernel_launch_overhead_ms=0.5, model_name="Qwen2.5-7B", parameter_count_billions=7.6, num_layers=28,
                           hidden_size=3584, num_heads=28, num_kv_heads=4, head_dim=128)
def prepare():
    simulator = Simulator(hardware, create_scheduler("chunked", hardware, token_budget=8192, max_batch_size=256))
    simulator.submit_workload([Request(request_id=str(n), arrived_at=at, prompt_tokens=1024, output_tokens=256) for n, at in enumerate(arrivals)])
    return simulator
measure(prepare, lambda simulator: simulator.run().completed_requests, version=version("sched-sim"),
        level="every step (chunked, budget 8192, 256 sequences, same roofline inputs)")
"""


def measured(python, program, count, *arguments):
    """What a child process says, or the last line of its error."""
    done = subprocess.run([python, "-c", _COMMON + program, str(count), *arguments], capture_output=True, text=True, timeout=600)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no output"])[-1]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", help="an interpreter that has the peers")
    parser.add_argument("--install", action="store_true", help=f"make an environment with {', '.join(PEERS)}")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = options.python
        if options.install:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            python = str(Path(folder) / "bin" / "python")
            subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS], check=True)
        if not python:
            parser.error("give --python or --install")
        for count in (2_000, 20_000):
            compare(python, count)


def compare(python, count):
    """One table."""
    print(f"\n{count:,} requests 1024/256, Poisson 10 requests/s, one instance, CPython {sys.version.split()[0]}")
    rows = {
        "here, closed form": measured(sys.executable, _OURS, count, str(ROOT), "closed"),
        "here, exact": measured(sys.executable, _OURS, count, str(ROOT), "exact"),
        "vllm-sr-sim": measured(python, _VLLM_SR, count),
    }
    if count <= 2_000:
        rows["sched-sim"] = measured(python, _SCHED, count)
    ours = rows["here, closed form"]["seconds"] / rows["here, closed form"]["done"]
    for name, row in rows.items():
        if "error" in row:
            print(f"  {name:<18} did not run: {row['error']}")
            continue
        each = row["seconds"] / max(1, row["done"])
        print(f"  {name:<18} {1 / each:>10,.0f} requests/s of CPU  {each / ours:>7.1f}x our time  {row['mib']:>5.0f} MiB  {row['done']:,} done  "
              f"{row['version']}; {row['level']}")


if __name__ == "__main__":
    main()
