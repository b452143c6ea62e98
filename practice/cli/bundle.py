"""`judge.py bundle`: what the browser downloads, made and measured."""

import json
from pathlib import Path

import click

from practice.cli.checkout import ROOT, shown
from practice.kernel.errors import PracticeError


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=None, help="Write the files here (out/bundle).")
@click.option("--runtime", default=None, metavar="VERSION", help="Another pinned version of Pyodide.")
@click.option("--json", "as_json", is_flag=True, help="Print the sizes as JSON.")
@click.option("--root", type=click.Path(path_type=Path, file_okay=False, exists=True), default=ROOT, hidden=True)
@click.pass_context
def command(ctx: click.Context, out: Path | None, runtime: str | None, as_json: bool, root: Path) -> None:
    """Make what the browser downloads: Python, the judge, the simulator and the exercises.

    Everything is fetched once, verified, and kept outside the checkout (PRACTICE_CACHE names the folder). The first run
    compresses 25 MB at the highest level, which takes a minute or two. `build` makes the same files as part of the site.

    \b
    judge.py bundle                       into out/bundle, with .br and .gz beside each file
    judge.py bundle --json                the sizes as JSON
    """
    from practice.bundle.build import make_bundle
    from practice.bundle.sibling import siblings
    from practice.bundle.site import readable
    from practice.bundle.size import sizes
    from practice.bundle.source import DEFAULT, RUNTIMES

    runtime = runtime or DEFAULT
    if runtime not in RUNTIMES:
        raise click.UsageError(f"Pyodide {runtime} is not pinned here; known: {', '.join(RUNTIMES)}")
    target = out or root / "out" / "bundle"
    try:
        bundle = make_bundle(root.resolve(), readable(root.resolve()), runtime=runtime, say=_say)
    except PracticeError as error:
        click.echo(str(error), err=True)
        ctx.exit(1)
    for missing in bundle.missing:
        click.echo(f"{missing}; exercises that need it show the shell command", err=True)
    beside = siblings(bundle.files, _say)
    for path, data in {**bundle.files, **beside}.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    rows = sizes(bundle.files, beside)
    if as_json:
        click.echo(json.dumps([{name: getattr(row, name) for name in row.__dataclass_fields__} for row in rows]))
    else:
        _table(rows)
        click.echo(f"{shown(target)}: {len(bundle.files)} files, {len(bundle.exercises)} exercises, Pyodide {runtime}", err=True)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _table(rows: list) -> None:
    click.echo(f"{'part':<28} {'files':>5} {'raw':>12} {'gzip':>11} {'brotli':>11}")
    for row in rows:
        click.echo(f"{row.part:<28} {row.files:>5} {row.raw:>12,} {row.gz:>11,} {row.br:>11,}")
