"""`judge.py knee`: the highest rate that meets the SLO."""

from typing import Any

import click

from practice.cli.figures import output_options, print_rows
from practice.cli.instance import Case, case_options, read_case, wrong_use
from practice.cli.ticker import Ticker

_COLUMNS = (
    ("knee req/s", lambda r: f"{r['knee']:.2f}"),
    ("SLO TTFT", lambda r: f"{r['slo_ttft']:g} s"),
    ("SLO TPOT", lambda r: f"{r['slo_tpot'] * 1e3:g} ms"),
    ("bracket", lambda r: f"[{r['low']:g}, {r['high']:g}]"),
    ("halvings", lambda r: str(r["halvings"])),
)


def bracket_options(command):
    """--low, --high, --halvings and --share, which are part of the definition of a knee."""
    for option in (
        click.option("--share", type=float, default=0.99, show_default=True, metavar="P", help="Share of requests that must meet the SLO."),
        click.option("--halvings", type=int, default=12, show_default=True, metavar="N", help="Steps of the bisection."),
        click.option("--high", type=float, default=40.0, show_default=True, metavar="R", help="Upper end of the bracket, req/s."),
        click.option("--low", type=float, default=1.0, show_default=True, metavar="R", help="Lower end of the bracket, req/s."),
    ):
        command = option(command)
    return command


@click.command("knee")
@bracket_options
@output_options
@case_options
def command(low: float, high: float, halvings: int, share: float, as_json: bool, as_csv: bool, **flags: Any) -> int:
    """Find the highest rate at which one instance meets the SLO. Exit code 1 where not even the lowest rate does.

    \b
    Example:
      judge.py knee --model qwen2.5-7b --slo-ttft 1 --slo-tpot 0.04
    """
    case = read_case(flags)
    rate = find_knee(case, low, high, halvings, share)
    row = {"knee": rate, "slo_ttft": case.slo[0], "slo_tpot": case.slo[1], "low": low, "high": high, "halvings": halvings, "share": share}
    print_rows([row], _COLUMNS, as_json, as_csv)
    return 0 if rate else 1


def find_knee(case: Case, low: float, high: float, halvings: int, share: float) -> float:
    """The knee of the case, with a progress line, and words on stderr where the bracket decided it."""
    from practice.sim.capacity import knee

    with wrong_use(), Ticker("searching the knee", halvings) as ticker:
        rate = knee(case.setup, case.slo, case.load["input"], case.load["output"], low=low, high=high, halvings=halvings,
                    num_requests=case.load["requests"], seed=case.load["seed"], share=share, progress=ticker.tick)
    if not rate:
        lower = f"; `--low {low / 10:g}` looks for a rate below it" if low > 0.1 else ""
        click.echo(f"not even {low:g} req/s meets the SLO\n\nhint: `sim --rate {low:g}` shows what takes too long{lower}", err=True)
    elif high - rate <= 2 * (high - low) / 2**halvings:
        click.echo(f"the knee is at the upper end of the bracket\n\nhint: try `--high {high * 4:g}`", err=True)
    return rate
