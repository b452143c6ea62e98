"""`judge.py judge 184`, which `judge.py 184` is short for: a verdict on a submission."""

from typing import Any

import click

from practice.cli.argument import exercise_argument, judging_options
from practice.cli.attempt import Request, attempt
from practice.kernel.errors import PracticeError


@click.command("judge")
@exercise_argument
@click.argument("path", metavar="[FILE]", default="")
@judging_options
def command(exercise: str, path: str, file: str, only: tuple[str, ...], **options: Any) -> int:
    """Judge your answer to an exercise, or another file.

    The first time, this makes your file from the starter and prints the question.

    \b
    Examples: judge.py 184
              judge.py 184 my.py --only partial_last_block
              judge.py 184 - --json < my.py
    """
    if path and file:
        raise PracticeError(f"two files were named, {path} and {file}; one submission is judged at a time", "name one of them")
    return attempt(Request(exercise, path or file, only, **options))
