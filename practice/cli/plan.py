"""`judge.py plan`: the cheapest fleet that meets an SLO, with a replica to spare."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from practice.cli.figures import output_options, print_rows, write_plot
from practice.cli.instance import wrong_use
from practice.cli.planfile import Question, example, read_question
from practice.cli.ticker import Ticker
from practice.kernel.errors import PracticeError

_COLUMNS = (
    ("", lambda r: "*" if r["on_front"] else ""),
    ("candidate", lambda r: r["candidate"]),
    ("replicas", lambda r: f"{r['needed']}+{r['replicas'] - r['needed']}" if r["needed"] else "-"),
    ("GPUs", lambda r: str(r["gpus"]) if r["gpus"] else "-"),
    ("$/h", lambda r: f"{r['cost_per_hour']:,.2f}" if r["needed"] else "-"),
    ("$/M output", lambda r: f"{r['cost_per_million_output_tokens']:.2f}" if r["needed"] else "-"),
    ("TTFT P99", lambda r: f"{r['ttft_p99'] * 1e3:,.0f} ms" if r["ttft_p99"] is not None else "-"),
    ("TPOT P99", lambda r: f"{r['tpot_p99'] * 1e3:.1f} ms" if r["tpot_p99"] is not None else "-"),
    ("SLO", lambda r: f"{r['slo_ok']:.1%}" if r["slo_ok"] is not None else "no"),
    ("one dies", lambda r: f"{r['survives']:.1%}" if r["replicas"] > 1 else "-"),
    ("binds", lambda r: r["binds"]),
)


@click.command("plan")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--example", "wants_example", is_flag=True, help="Print a plan file to begin with.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Processes that evaluate candidates.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786, whose workers evaluate them.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write an SVG of P99 TTFT against cost.")
@output_options
def command(file: Path | None, wants_example: bool, jobs: int, scheduler: str | None, plot: Path | None, as_json: bool, as_csv: bool) -> int:
    """Search the cheapest fleet that meets an SLO over GPUs, parallelism, precision, routers and autoscaling.

    FILE is a TOML file with [load], [slo], [plan] and one [[candidate]] or more. For each candidate the fewest replicas are
    found, spares added, and the death of one simulated. A star marks the Pareto front of cost against P99 TTFT; "binds" is
    what one replica fewer runs into. Exit code 1 where nothing meets the SLO.

    \b
    Example:
      judge.py plan --example > plan.toml
      judge.py plan plan.toml --jobs 2 --plot front.svg
    """
    if wants_example:
        print(example(), end="")
        return 0
    if file is None:
        raise PracticeError("no plan file is named", "`judge.py plan --example > plan.toml` writes one to begin with")
    if scheduler and jobs > 1:
        raise PracticeError("--jobs and --scheduler are both given, but candidates go to one or the other")
    question = read_question(file)
    found = _search(question, jobs, scheduler)
    rows = [_row(option, found.front) for option in found.options]
    print_rows(rows if as_json else [{**row, "verify": " | ".join(row["verify"])} for row in rows], _COLUMNS, as_json, as_csv)
    if plot:
        _plot(found, question, plot)
    if not as_json and not as_csv:
        _tell(found)
    return 0 if found.best else 1


def _search(question: Question, jobs: int, scheduler: str | None) -> Any:
    from practice.sim.service.planning import plan

    with wrong_use(), _executor(min(jobs, len(question.candidates)), scheduler) as executor, Ticker("planning", len(question.candidates)) as ticker:
        return plan(question.workload, question.slo, question.candidates, executor=executor, progress=ticker.tick, **question.options)


@contextmanager
def _executor(jobs: int, scheduler: str | None) -> Iterator[Any]:
    """What evaluates candidates: None for this process, processes of this machine, or a Dask cluster."""
    if scheduler:
        with _dask(scheduler) as client:
            yield client.get_executor(pure=False)
    elif jobs > 1:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(jobs, get_context("spawn")) as executor:
            yield executor
    else:
        yield None


def _dask(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise PracticeError("--scheduler needs Dask, which is not installed", "pip install 'inference-practice[cluster]'") from None
    try:
        return Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise PracticeError(f"no Dask scheduler answers at {address}: {error or type(error).__name__}", "start one with `dask scheduler`") from None


def _row(option: Any, front: tuple) -> dict[str, Any]:
    metrics = option.metrics
    return {
        "candidate": option.candidate.name, "feasible": option.feasible, "on_front": option in front, "needed": option.needed,
        "replicas": option.replicas, "gpus": option.gpus, "cost_per_hour": option.cost_per_hour,
        "cost_per_million_output_tokens": option.cost_per_million_output_tokens,
        **{name: metrics.get(name) for name in ("ttft_p50", "ttft_p99", "tpot_p50", "tpot_p99", "slo_ok", "hit_rate")},
        "survives": option.survives, "binds": option.binds, "verify": list(option.verify),
    }


def _tell(found: Any) -> None:
    """The answer in words, on stderr."""
    best = found.best
    if not best:
        click.echo("\nno candidate meets the SLO", err=True)
        for option in found.options:
            click.echo(f"  {option.candidate.name}: {option.binds}; {'; '.join(option.verify)}", err=True)
        return
    click.echo(f"\ncheapest: {best.candidate.name}, {best.replicas} replicas, {best.gpus} GPUs. Before you believe it, load test", err=True)
    for words in best.verify:
        click.echo(f"  - {words}", err=True)


def _plot(found: Any, question: Question, path: Path) -> None:
    from practice.sim.plot import Line, line_plot

    feasible = [option for option in found.options if option.feasible]
    if not feasible:
        raise PracticeError("no candidate meets the SLO, so there is nothing to plot")
    lines = [Line("front", [o.cost_per_hour for o in found.front], [o.metrics["ttft_p99"] for o in found.front])]
    for option in [option for option in feasible if option not in found.front][:5]:
        lines.append(Line(option.candidate.name, [option.cost_per_hour], [option.metrics["ttft_p99"]]))
    write_plot(path, line_plot(lines, title="Cost against P99 TTFT", x_label="cost, $/h", y_label="TTFT P99, s", limit=question.slo[0],
                               limit_label="SLO"))
