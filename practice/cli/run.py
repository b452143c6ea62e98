"""`judge.py run 184`: only the examples of the question."""

from typing import Any

import click

from practice.cli.argument import exercise_argument, judging_options
from practice.cli.attempt import Request, attempt


@click.command("run")
@exercise_argument
@judging_options
def command(exercise: str, file: str, only: tuple[str, ...], **options: Any) -> int:
    """Run only the examples of the question, which you can read there. It does not count as an attempt.

    Example: judge.py run 184
    """
    return attempt(Request(exercise, file, only, examples_only=True, **options))
