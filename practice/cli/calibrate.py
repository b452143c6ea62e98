"""`judge.py calibrate`: the simulator fitted to measurements."""

import math
from pathlib import Path
from typing import Any

import click

from practice.cli.figures import output_options, print_rows
from practice.cli.instance import case_options, read_case, wrong_use
from practice.cli.ticker import Ticker
from practice.kernel.errors import NotFound

_ITERATIONS = 20
_POOR = 0.2
"""Median error of a held-out figure above which a fit should not be used unseen."""
_COLUMNS = (
    ("figure", lambda r: r["name"]),
    ("", lambda r: r["metric"]),
    ("measured", lambda r: f"{r['measured'] * 1e3:.1f} ms"),
    ("before", lambda r: f"{r['before'] / r['measured'] - 1:+.1%}"),
    ("after", lambda r: f"{r['after'] / r['measured'] - 1:+.1%}"),
    ("", lambda r: "held out" if r["held_out"] else "fitted"),
)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--fit", metavar="NAME[,NAME...]", help="What to fit, of mbu, mfu, step_overhead, overhead_per_seq, comm; the first three unless said.")
@click.option("--all", "show_all", is_flag=True, help="Print every residual, also where there are many.")
@output_options
@case_options
def command(files: tuple[Path, ...], fit: str | None, show_all: bool, as_json: bool, as_csv: bool, **flags: Any) -> int:
    """Fit bandwidth efficiency, MFU and step overhead to measurements, half of which are held out for the test.

    FILE is a result of `vllm bench serve --save-result`, a CSV with input_len, output_len, concurrency, ttft_ms and tpot_ms,
    or JSON lines of requests with their time stamps. stdout gets the residuals, stderr the fitted constants.

    \b
    Example:
      judge.py calibrate results.json --model llama-3-8b --gpu h100 --set max_num_batched_tokens=2048
    """
    from practice.sim.calibration import calibrate
    from practice.sim.measurement import read_measurements

    case = read_case(flags)
    measurements = []
    for file in files:
        try:
            with wrong_use():
                measurements += read_measurements(file)
        except OSError as error:
            raise NotFound(f"{file} cannot be read: {error.strerror}") from None
    with wrong_use(), Ticker("fitting", _ITERATIONS) as ticker:
        result = calibrate(measurements, case.setup, fit=tuple(fit.split(",")) if fit else None, iterations=_ITERATIONS, progress=ticker.tick)
    click.echo(str(result), err=True)
    click.echo("use it with " + " ".join(f"--set {name}={value:.5g}" for name, value in result.constants.items() if name != "comm"), err=True)
    errors = [result.error(metric) for metric in ("ttft", "tpot")]
    worst = max((error for error in errors if not math.isnan(error)), default=0.0)
    if worst > _POOR:
        text = f"what was held out is still {worst:.0%} off at the median: these constants do not describe the machine"
        click.echo(f"{text}\n\nhint: look where the residuals are large; `--realistic`, or `--fit` with more names, may be what is missing", err=True)
    rows = [residual._asdict() for residual in result.residuals]
    if not (as_json or as_csv or show_all) and len(rows) > 40:
        click.echo(f"{len(rows)} residuals; `--all` prints them", err=True)
        return 0
    print_rows(rows, _COLUMNS, as_json, as_csv)
    return 0
