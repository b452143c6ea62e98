"""`judge.py sim`: one instance under load."""

from pathlib import Path
from typing import Any

import click

from practice.cli.figures import output_options, print_rows, write_plot
from practice.cli.instance import Case, case_options, read_case, wrong_use
from practice.cli.ticker import Ticker
from practice.kernel.errors import NotFound, PracticeError

_COLUMNS = (
    ("req/s", lambda r: f"{r['rate']:.4g}"),
    ("TTFT P50", lambda r: f"{r['ttft_p50'] * 1e3:.0f} ms"),
    ("P99", lambda r: f"{r['ttft_p99'] * 1e3:.0f} ms"),
    ("TPOT P50", lambda r: f"{r['tpot_p50'] * 1e3:.1f} ms"),
    ("P99", lambda r: f"{r['tpot_p99'] * 1e3:.1f} ms"),
    ("out tok/s", lambda r: f"{r['output_tps']:.0f}"),
    ("goodput", lambda r: f"{r['goodput']:.2f}"),
    ("SLO met", lambda r: f"{r['slo_ok']:.1%}"),
    ("", lambda r: r["label"]),
)


@click.command("sim")
@click.option("--rate", "rates", metavar="R[,R...]", help="Requests/s, one or several.")
@click.option("--trace", metavar="FILE", help="Replay a trace (Azure CSV, Mooncake JSONL, or a sample's name); --rate scales it.")
@click.option("--plot", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write an SVG: curves over the rates, or queue and KV use over time.")
@output_options
@case_options
def command(rates: str | None, trace: str | None, plot: Path | None, as_json: bool, as_csv: bool, **flags: Any) -> int:
    """Simulate one serving instance under a load and print TTFT, TPOT, throughput, goodput and the share within the SLO.

    Goodput is the requests within the SLO, a second, until the last one ends. The last column tells how requests wait to be
    scheduled: overloaded, longer and longer; backlogged, at P99 more than half of the TTFT's limit; stable otherwise.

    \b
    Examples:
      judge.py sim --model qwen2.5-7b --rate 1,5,10,20,25
      judge.py sim --model llama-3-8b --gpu l40s --trace azure-conversation --plot out.svg
      judge.py sim --config service.toml --json
    """
    case = read_case(flags | {"trace": trace})
    rate_list = _rates(rates, case)
    with wrong_use():
        rows, records = _run(case, rate_list)
        if plot is not None:
            write_plot(plot, _curves(rows, case) if len(rows) > 1 else _over_time(records))
    print_rows(rows, _COLUMNS, as_json, as_csv)
    return 0


def _rates(text: str | None, case: Case) -> list[float]:
    if text is None:
        given = case.load.get("rate", [] if "trace" in case.load else None)
        if given is None:
            raise PracticeError("no load is given", "write `--rate 5,10,20` or `--trace FILE`")
        return given if isinstance(given, list) else [given]
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise PracticeError(f"--rate is {text!r}, but it must be a number, or several with commas", "write `--rate 5,10,20`") from None


def _run(case: Case, rates: list[float]):
    """One row for each rate, and the records of the last."""
    from practice.sim.capacity import saturation
    from practice.sim.simulation import simulate
    from practice.sim.summary import summarize

    load, rows, records = case.load, [], []
    for rate in rates or [None]:
        workload = _read_trace(load["trace"], rate) if "trace" in load else None
        label = "simulating" if rate is None else f"simulating {rate:g} req/s"
        with Ticker(label, len(workload) if workload else load["requests"]) as ticker:
            if workload:
                records = simulate(case.setup, workload=workload, progress=ticker.tick)
                rate = len(workload) / max(workload[-1].arrival, 1e-9)
            else:
                records = simulate(case.setup, rate, load["requests"], load["input"], load["output"], load["seed"], progress=ticker.tick)
        row = {"rate": rate, **summarize(records, *case.slo), "label": saturation(records, case.slo[0])}
        row |= {"preemptions": sum(r.preemptions for r in records), "recomputed_tokens": sum(r.recomputed_tokens for r in records),
                "cached_share": sum(r.cached_tokens for r in records) / sum(r.input_len for r in records)}
        rows.append(row)
    return rows, records


def _read_trace(name: str, rate: float | None):
    from practice.sim.trace import read_trace

    try:
        return read_trace(name, rate=rate)
    except OSError as error:
        from practice.sim.trace import SAMPLES

        raise NotFound(f"{name} cannot be read: {error.strerror}", f"samples: {', '.join(SAMPLES)}") from None


def _curves(rows, case: Case) -> str:
    from practice.sim.plot import Line, Panel, panel_plot

    rates = [row["rate"] for row in rows]

    def lines(metric, scale):
        return [Line(p.upper(), rates, [row[f"{metric}_{p}"] * scale for row in rows]) for p in ("p50", "p99")]

    x = "rate (requests/s)"
    return panel_plot([
        Panel(lines("ttft", 1e3), x, "TTFT (ms)", case.slo[0] * 1e3, "SLO", log_y=True),
        Panel(lines("tpot", 1e3), x, "TPOT (ms)", case.slo[1] * 1e3, "SLO"),
        Panel([Line("goodput", rates, [row["goodput"] for row in rows]), Line("offered", rates, rates)], x, "requests/s"),
    ], title="TTFT, TPOT and goodput against the request rate")


def _over_time(records) -> str:
    from practice.sim.occupancy import occupancy
    from practice.sim.plot import Line, Panel, panel_plot

    moments = occupancy(records)
    times = [m.time for m in moments]
    return panel_plot([
        Panel([Line("waiting", times, [m.waiting for m in moments]), Line("running", times, [m.running for m in moments])],
              "time (s)", "requests"),
        Panel([Line("KV cache", times, [m.kv_tokens for m in moments])], "time (s)", "tokens"),
    ], title="Queue, running requests and KV cache over time")
