"""Rows of figures on stdout: a table for people, JSON, or CSV; and a plot into a file."""

import csv
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from practice.cli.checkout import Checkout
from practice.kernel.errors import PracticeError


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--json and --csv."""
    command = click.option("--csv", "as_csv", is_flag=True, help="Print CSV, in seconds and tokens.")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, in seconds and tokens.")(command)


def print_rows(rows: Sequence[dict[str, Any]], table: Sequence[tuple[str, Callable[[dict[str, Any]], str]]], as_json: bool,
               as_csv: bool) -> None:
    """Prints the rows. table: (heading, text of a row) for each column of the table for people."""
    if as_json and as_csv:
        raise PracticeError("--json and --csv are both given, but only one can be printed")
    if as_json:
        print(json.dumps(list(rows), indent=1))
    elif as_csv:
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        cells = [[heading for heading, _ in table], *([text(row) for _, text in table] for row in rows)]
        widths = [max(len(line[column]) for line in cells) for column in range(len(table))]
        for line in cells:
            print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip())


def write_plot(path: Path, svg: str) -> None:
    """Writes an SVG file and says so on stderr."""
    Checkout.here().spare(path)
    try:
        path.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise PracticeError(f"{path} cannot be written: {error.strerror}") from None
    click.echo(f"wrote {path}", err=True)
