#!/usr/bin/env python3
"""The simulator against a token-by-token one, on large loads, with everything on, and under Pyodide; one run, with ratios.

    python benchmarks/simulator.py [--data FOLDER] [--pyodide FOLDER] [--quick]

--data: a folder with AzureLLMInferenceTrace_conv.csv, mooncake_conversation_trace.jsonl and real_vllm/, for the traces and the
calibration. --pyodide: a folder with pyodide.mjs (`npm install pyodide` makes node_modules/pyodide); needs Node.
Seconds are CPU seconds of this process, the best of several runs.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from practice.sim.calibration import calibrate
from practice.sim.capacity import knee
from practice.sim.measurement import read_measurements
from practice.sim.setup import Setup
from practice.sim.simulation import simulate
from practice.sim.summary import percentile
from practice.sim.trace import read_trace
from practice.sim.workload import Request, poisson_arrivals
from tests.sim import oracle

QWEN = Setup(params=7.6e9, weight_bytes=15.2e9, kv_bytes_per_token=57344, kv_capacity_tokens=int(55e9 / 57344))
KV_70B = 2 * 80 * 8 * 128
LLAMA = Setup(70.6e9, 70.6e9, KV_70B, int((8 * 80e9 * 0.9 - 70.6e9) / KV_70B), peak_flops=8 * 1979e12, bandwidth=8 * 3.35e12, mfu=0.4,
              step_overhead=1.5e-3, max_num_seqs=512)
RATES = (1, 5, 10, 15, 20, 25, 30, 40)
EVERYTHING = replace(
    QWEN, mbu=0.9, attention_flops=4 * 28 * 28 * 128, overhead_per_seq=2e-6, comm_latency=1e-4, comm_bytes_per_token=2e5, experts=64,
    experts_per_token=8, expert_bytes=10e9, draft_tokens=2, acceptance=0.7, draft_cost=0.05, order="priority", kv_policy="on_demand",
    prefix_cache=True)


def best(run, repeats):
    """(least CPU seconds, result) of several runs."""
    least, result = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        least = min(least, time.process_time() - start)
    return least, result


def against_the_oracle(repeats):
    """The eight rows of the load sweep."""
    print("\nload sweep, 2,000 requests 1024/256          oracle s    closed s   ratio   exact s   ratio   requests/s   largest difference")
    slow_sum = fast_sum = 0.0
    for rate in RATES:
        def reference(rate=rate):
            sequences = oracle.poisson(rate, 2000, 1024, 256)
            oracle.serve(QWEN, sequences)
            return sequences

        slow, expected = best(reference, 1)
        fast, records = best(lambda rate=rate: simulate(QWEN, rate, 2000, 1024, 256), repeats)
        exact, same = best(lambda rate=rate: simulate(QWEN, rate, 2000, 1024, 256, engine="exact"), 2)
        for want, got in zip(expected, same, strict=True):
            assert (got.first_token, got.finish) == (want.first_token, want.finish)
        difference = max(abs(got.finish / want.finish - 1) for want, got in zip(expected, records))
        slow_sum, fast_sum = slow_sum + slow, fast_sum + fast
        print(f"  rate {rate:<2}                                   {slow:10.3f}  {fast:10.4f}  {slow / fast:5.0f}x  {exact:8.4f}  {slow / exact:5.0f}x"
              f"  {2000 / fast:11,.0f}   {difference:.1e}")
    print(f"  sum                                       {slow_sum:10.3f}  {fast_sum:10.4f}  {slow_sum / fast_sum:5.0f}x   (reach: 30x; exact equals the oracle bit for bit)")


def knees(repeats):
    """The two searches of twelve halvings."""
    for name, setup, slo, lengths, high, count in (("Qwen2.5-7B", QWEN, (1.0, 0.04), (1024, 256), 40, 2000),
                                                   ("70B chat", LLAMA, (2.0, 0.05), (2000, 500), 60, 1500)):
        def reference(setup=setup, slo=slo, lengths=lengths, high=high, count=count):
            low, top = 1.0, high
            for _ in range(12):
                middle = (low + top) / 2
                sequences = oracle.poisson(middle, count, *lengths)
                oracle.serve(setup, sequences)
                good = sum(s.first_token - s.arrival <= slo[0] and (s.finish - s.first_token) / (s.output_len - 1) <= slo[1] for s in sequences)
                low, top = (middle, top) if good / count >= 0.99 else (low, middle)
            return low

        slow, expected = best(reference, 1)
        fast, found = best(lambda setup=setup, slo=slo, lengths=lengths, high=high, count=count: knee(
            setup, slo, *lengths, high=high, num_requests=count), repeats)
        assert found == expected
        print(f"knee search, {name:<12} {found:.4f} req/s: oracle {slow:.2f} s, here {fast * 1e3:.0f} ms, {slow / fast:.0f}x (reach: 50x)")


def large(quick):
    """One million requests in a process of its own, so that its peak memory is its own."""
    count = 100_000 if quick else 1_000_000
    code = (f"import sys; sys.path.insert(0, {str(ROOT)!r}); import resource, time; from sim import Setup, simulate; start = time.process_time();"
            f"n = len(simulate(Setup(7.6e9, 15.2e9, 57344, 959123), 10, {count}, 1024, 256));"
            "print(n, time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)")
    done, seconds, mib = map(float, subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    print(f"{done:,.0f} requests 1024/256 at 10 req/s: {seconds:.2f} s, {mib:.0f} MiB (reach for a million: 10 s, 1,024 MiB)")


def everything(repeats):
    """Every setting on at once."""
    for block, hashes in ((512, 2), (16, 64)):
        rng = Random(0)
        trunks = [[rng.getrandbits(60) for _ in range(hashes)] for _ in range(20)]
        workload = [Request(arrival, 1024, 256, rng.randint(0, 2), tuple(rng.choice(trunks)[:rng.randint(0, hashes)])
                            + tuple(rng.getrandbits(60) for _ in range(hashes)), block) for arrival in poisson_arrivals(10, 10_000)]
        seconds, records = best(lambda workload=workload: simulate(EVERYTHING, workload=workload), repeats)
        hit = sum(r.cached_tokens for r in records) / sum(r.input_len for r in records)
        print(f"every setting on, 10,000 requests 1024/256, prefix hashes per {block} tokens: {len(workload) / seconds:,.0f} requests/s, "
              f"hit rate {hit:.0%} (reach: 20,000)")
    plain = [Request(arrival, 1024, 256) for arrival in poisson_arrivals(10, 10_000)]
    for name, setup in (("blocks on demand", replace(QWEN, kv_policy="on_demand")), ("prefill first", replace(QWEN, schedule="prefill_first"))):
        seconds, _ = best(lambda setup=setup: simulate(setup, workload=plain), repeats)
        print(f"only {name}: {len(plain) / seconds:,.0f} requests/s")


def traces(folder, repeats):
    """The full public traces."""
    for name, gpus in (("AzureLLMInferenceTrace_conv.csv", 1), ("mooncake_conversation_trace.jsonl", 8)):
        workload = read_trace(folder / name)
        setup = QWEN if gpus == 1 else LLAMA
        for cache in (False, True):
            each = replace(setup, prefix_cache=cache)
            seconds, records = best(lambda each=each, workload=workload: simulate(each, workload=workload), repeats)
            hit = sum(r.cached_tokens for r in records) / sum(r.input_len for r in records)
            print(f"{name}, {len(workload):,} requests, prefix cache {'on ' if cache else 'off'}: {seconds:.3f} s, hit rate {hit:.1%} "
                  f"(reach: {1 if cache else 0.3} s)")


def calibration(folder):
    """Real vLLM requests, replayed: error of mean and P99 before and after the fit."""
    common = dict(max_num_batched_tokens=2048)
    pro = Setup.for_model("llama-3-8b", gpu="rtxpro6000", max_num_seqs=128, **common)
    ada = Setup.for_model("llama-3-8b", gpu="rtx4090", max_num_seqs=256, kv_capacity_tokens=41408, **common)
    for name, file, setup in (("RTX PRO 6000", "RTXPRO6000_Llama-3.1-8B_requests.jsonl", pro),
                              ("RTX 4090, reserving", "RTX4090_Llama-3.1-8B_requests.jsonl", ada),
                              ("RTX 4090, on demand", "RTX4090_Llama-3.1-8B_requests.jsonl", replace(ada, kv_policy="on_demand"))):
        measured, = read_measurements(folder / "real_vllm" / file)
        fitted = calibrate([measured], setup)
        for when, each in (("before", setup), ("after ", fitted.setup)):
            records = simulate(each, workload=measured.workload)
            words = []
            for metric in ("ttft", "tpot"):
                ours, real = [getattr(r, metric) for r in records], getattr(measured, metric)
                words.append(f"{metric.upper()} mean {sum(ours) / sum(real) - 1:+6.1%}, P99 {percentile(ours, 99) / percentile(real, 99) - 1:+6.1%}")
            print(f"{name}, {when} fit: {'; '.join(words)}; {sum(r.preemptions for r in records)} preemptions")
        print(f"{'':>{len(name)}}  held-out requests, median error: TTFT {fitted.error('ttft'):.1%}, TPOT {fitted.error('tpot'):.1%}; "
              + ", ".join(f"{key} {value:.3g}" for key, value in fitted.constants.items()))


_PYODIDE = """
import { readFileSync } from "node:fs";
const { loadPyodide } = await import(process.argv[2]);
const py = await loadPyodide();
const files = JSON.parse(readFileSync(process.argv[3], "utf8"));
for (const [path, text] of Object.entries(files)) {
  const parts = path.split("/"); parts.pop();
  py.FS.mkdirTree("/project/" + parts.join("/"));
  py.FS.writeFile("/project/" + path, text);
}
console.log(py.runPython(process.argv[4]));
"""
_ROWS = """
import sys, time, json
sys.path.insert(0, "/project")
from sim import Setup, simulate
setup, rows = Setup(7.6e9, 15.2e9, 57344, 959123), {}
for rate in (1, 5, 10, 15, 20, 25, 30, 40):
    least = 9.0
    for _ in range(20):
        start = time.perf_counter()
        simulate(setup, rate, 2000, 1024, 256)
        least = min(least, time.perf_counter() - start)
    rows[rate] = least
json.dumps(rows)
"""


def pyodide(folder):
    """The eight rows in Pyodide under Node, and in this CPython by the same code."""
    files = {str(path.relative_to(ROOT)): path.read_text() for path in
             (ROOT / "sim.py", ROOT / "practice/__init__.py", *(ROOT / "practice/sim").glob("*.py"))}
    with tempfile.TemporaryDirectory() as scratch:
        script, data = Path(scratch) / "run.mjs", Path(scratch) / "files.json"
        script.write_text(_PYODIDE)
        data.write_text(json.dumps(files))
        out = subprocess.run(["node", str(script), str((folder / "pyodide.mjs").resolve()), str(data), _ROWS], capture_output=True, text=True,
                             check=True).stdout
    rows = json.loads(out.strip().splitlines()[-1])
    names: dict = {}
    exec(_ROWS.replace("json.dumps(rows)", "").replace("/project", str(ROOT)), names)  # the same text, here
    native = names["rows"]
    for rate in RATES:
        print(f"Pyodide, rate {rate:<2}: {rows[str(rate)] * 1e3:6.1f} ms, CPython {native[rate] * 1e3:6.1f} ms, {rows[str(rate)] / native[rate]:.2f}x")
    print(f"Pyodide, sum: {sum(rows.values()) / sum(native.values()):.2f}x the time of CPython {sys.version.split()[0]} (reach: 3.5)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--pyodide", type=Path)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, and a tenth of the million")
    parser.add_argument("--only", action="append", metavar="PART", choices=("oracle", "knees", "large", "everything", "traces", "calibration", "pyodide"))
    options = parser.parse_args()
    repeats = 3 if options.quick else 7
    print(f"CPython {sys.version.split()[0]}")
    parts = {"oracle": lambda: against_the_oracle(repeats), "knees": lambda: knees(repeats), "large": lambda: large(options.quick),
             "everything": lambda: everything(repeats)}
    if options.data:
        parts |= {"traces": lambda: traces(options.data, repeats), "calibration": lambda: calibration(options.data)}
    if options.pyodide:
        parts["pyodide"] = lambda: pyodide(options.pyodide)
    for name, run in parts.items():
        if not options.only or name in options.only:
            run()
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
