"""Measurements of real engines, as workloads that can be simulated and figures to compare with."""

import csv
import json
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from practice.sim.arrivals import ClosedLoop, poisson_workload
from practice.sim.wording import check_count, check_number, check_whole, read_text
from practice.sim.workload import Request

_CSV = ("input_len", "output_len", "concurrency", "ttft_ms", "tpot_ms")


@dataclass(frozen=True)
class Measurement:
    """One load on a real engine: what was sent, and what came out."""

    name: str
    """Where it comes from."""
    workload: list | ClosedLoop
    """What was sent."""
    ttft: float | tuple
    """Mean time to first token in seconds, or one for each request."""
    tpot: float | tuple
    """Mean time per output token in seconds, or one for each request."""
    tp: int = 1
    """GPUs that share the model."""

    def __post_init__(self):
        for metric in ("ttft", "tpot"):
            value = getattr(self, metric)
            if isinstance(value, (int, float)):
                check_number(f"{metric} of {self.name}", value, above=0)
            elif not all(map(isfinite, value)) or (isinstance(self.workload, list) and len(value) not in (0, len(self.workload))):
                raise ValueError(f"{metric} of {self.name} must be a number of seconds for each of its requests")
        check_whole(f"tp of {self.name}", self.tp, least=1)


def read_measurements(path: str | Path) -> list[Measurement]:
    """The measurements in a file; its kind is told by its content.

    - The result of `vllm bench serve --save-result` (JSON; also several, one per line). With --save-detailed and
      start times its requests are replayed one by one, else the load is made anew from its rate or concurrency.
    - CSV with a header: input_len, output_len, concurrency, ttft_ms, tpot_ms, and where they matter tp and requests.
    - JSON lines, one per request: arrival_time, input_toks, output_toks, queued_ts, first_token_ts, last_token_ts.
    Raises ValueError naming the file, the line and what is missing.
    """
    text = read_text(path).strip()
    name = Path(path).name
    if not text.startswith("{"):
        return _read_csv(name, text)
    try:
        rows = [json.loads(text)]
    except ValueError:
        rows = [_json_line(name, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    try:
        if "first_token_ts" in rows[0]:
            return [_replay(name, rows)]
        return [_bench(f"{name}:{number}" if len(rows) > 1 else name, row) for number, row in enumerate(rows, 1)]
    except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
        if name in str(error):
            raise
        raise ValueError(f"{name} holds something else than the numbers of a benchmark ({type(error).__name__}: {error})") from None


def _json_line(name, number, line):
    try:
        return json.loads(line)
    except ValueError as error:
        raise ValueError(f"{name}, line {number} is not JSON: {error}") from None


def _need(name, row, keys):
    missing = [key for key in keys if row.get(key) in (None, "")]
    if missing:
        raise ValueError(f"{name} lacks {', '.join(missing)}; it has {', '.join(map(str, list(row)[:12]))}")


def _read_csv(name, text):
    rows = list(csv.DictReader(text.splitlines()))
    if not rows:
        raise ValueError(f"{name} holds no measurements: a CSV needs the header {','.join(_CSV)} and a line for each")
    measurements = []
    for number, row in enumerate(rows, 2):
        where = f"{name}, line {number}"
        _need(where, row, _CSV)
        try:
            users = int(row["concurrency"])
            load = ClosedLoop(users, int(row.get("requests") or 3 * users), int(row["input_len"]), int(row["output_len"]))
            measurements.append(Measurement(where, load, float(row["ttft_ms"]) / 1e3, float(row["tpot_ms"]) / 1e3, int(row["tp"]) if row.get("tp") else 1))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return measurements


def _replay(name, rows):
    """Requests with the engine's own time stamps.

    arrival_time is the client's clock and the others the engine's. The engine looks at its socket between steps, so
    queued_ts - arrival_time is the offset of the clocks plus a wait; the smallest one is taken for the offset.
    """
    for number, row in enumerate(rows, 1):
        _need(f"{name}, line {number}", row, ("arrival_time", "input_toks", "output_toks", "queued_ts", "first_token_ts", "last_token_ts"))
    rows = sorted(rows, key=lambda row: row["arrival_time"])
    offset = min(row["queued_ts"] - row["arrival_time"] for row in rows)
    start = rows[0]["arrival_time"]
    workload = [Request(row["arrival_time"] - start, row["input_toks"], row["output_toks"]) for row in rows]
    ttft = tuple(row["first_token_ts"] - row["arrival_time"] - offset for row in rows)
    tpot = tuple((row["last_token_ts"] - row["first_token_ts"]) / max(1, row["output_toks"] - 1) for row in rows)
    return Measurement(name, workload, ttft, tpot)


def _bench(name, row):
    tp = int(row.get("tensor_parallel_size") or 1)
    if row.get("start_times") and row.get("ttfts") and row.get("itls"):
        return _bench_requests(name, row, tp)
    _need(name, row, ("completed", "total_input_tokens", "total_output_tokens", "mean_ttft_ms", "mean_tpot_ms"))
    count = int(row["completed"])
    check_count(f"completed of {name}", count, least=1)
    input_len, output_len = round(row["total_input_tokens"] / count), round(row["total_output_tokens"] / count)
    rate = row.get("request_rate")
    if row.get("max_concurrency"):
        load = ClosedLoop(int(row["max_concurrency"]), count, input_len, output_len)
    elif rate in (None, "inf", float("inf")):
        load = [Request(0.0, input_len, output_len)] * count
    else:
        load = poisson_workload(float(rate), count, input_len, output_len)
    return Measurement(name, load, row["mean_ttft_ms"] / 1e3, row["mean_tpot_ms"] / 1e3, tp)


def _bench_requests(name, row, tp):
    _need(name, row, ("input_lens", "output_lens"))
    counts = {key: len(row[key]) for key in ("start_times", "ttfts", "itls", "input_lens", "output_lens")}
    if len(set(counts.values())) > 1:
        raise ValueError(f"{name} has lists of different lengths: {counts}")
    order = sorted(range(len(row["start_times"])), key=lambda n: row["start_times"][n])
    start = row["start_times"][order[0]]
    workload = [Request(row["start_times"][n] - start, row["input_lens"][n], max(1, int(row["output_lens"][n]))) for n in order]
    tpot = tuple(sum(row["itls"][n]) / max(1, row["output_lens"][n] - 1) for n in order)
    return Measurement(name, workload, tuple(row["ttfts"][n] for n in order), tpot, tp)
