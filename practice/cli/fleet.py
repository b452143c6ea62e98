"""`judge.py fleet`: instances and GPUs for a peak rate, and what they cost."""

from dataclasses import asdict
from typing import Any

import click

from practice.cli.figures import output_options, print_rows
from practice.cli.instance import case_options, read_case, wrong_use
from practice.cli.knee import bracket_options, find_knee

_MUCH_HEADROOM = 3.0
"""Above this a percentage was probably meant."""
_COLUMNS = (
    ("knee req/s", lambda r: f"{r['knee']:.2f}"),
    ("instances", lambda r: str(r["instances"])),
    ("GPUs", lambda r: str(r["gpus"])),
    ("utilisation", lambda r: f"{r['utilization']:.0%}"),
    ("$/GPU-h", lambda r: f"{r['gpu_price']:.2f}" if r["gpu_price"] else "-"),
    ("$/h", lambda r: f"{r['cost_per_hour']:,.2f}" if r["cost_per_hour"] else "-"),
    ("$/M output", lambda r: f"{r['cost_per_million_output_tokens']:.2f}" if r["cost_per_hour"] else "-"),
)


@click.command("fleet")
@click.option("--peak", type=float, required=True, metavar="R", help="Peak rate of the service, req/s.")
@click.option("--knee", "known", type=float, metavar="R", help="Knee of one instance, where it is known; searched for otherwise.")
@click.option("--headroom", type=float, default=0.0, show_default=True, metavar="P", help="Share added to the peak, 0.3 for 30%.")
@click.option("--spares", type=int, default=0, show_default=True, metavar="N", help="Further instances; 1 for N+1.")
@click.option("--gpu-price", type=float, metavar="$", help="Per GPU-hour; the catalogue's unless said.")
@bracket_options
@output_options
@case_options
def command(peak: float, known: float | None, headroom: float, spares: int, gpu_price: float | None, low: float, high: float,
            halvings: int, share: float, as_json: bool, as_csv: bool, **flags: Any) -> int:
    """Size a fleet of equal instances for a peak rate, with headroom and spares, and say what it costs.

    \b
    Example:
      judge.py fleet --peak 200 --headroom 0.3 --gpu-price 2.5 --model llama-3-70b --tp 8 --weights fp8 --kv fp8 \\
        --set mfu=0.4 --set step_overhead=1.5e-3 --set max_num_seqs=512 --input 2000 --output 500 --requests 1500 \\
        --slo-ttft 2 --slo-tpot 0.05 --high 60
    """
    from practice.sim.capacity import fleet

    case = read_case(flags)
    rate = find_knee(case, low, high, halvings, share) if known is None else known
    if known is None and not rate:
        return 1
    price = case.gpu_price if gpu_price is None else gpu_price
    with wrong_use():
        plan = fleet(peak, rate, gpus_per_instance=case.tp, headroom=headroom, spares=spares, gpu_price=price, output_len=case.load["output"])
    if headroom > _MUCH_HEADROOM:
        click.echo(f"--headroom {headroom:g} adds {headroom:.0%} to the peak\n\nhint: 30% is `--headroom 0.3`", err=True)
    print_rows([{"knee": rate, "gpu_price": price, **asdict(plan)}], _COLUMNS, as_json, as_csv)
    return 0
