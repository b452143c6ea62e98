"""Arguments and options that several commands take, with their shell completion."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from practice.cli.checkout import Checkout


class ExerciseName(click.ParamType):
    """A word that stands for an exercise: a number, a slug, the beginning of one, an id or a path."""

    name = "exercise"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return exercises_like(incomplete)


def exercises_like(incomplete: str) -> list[CompletionItem]:
    """The exercises whose number or slug begins so."""
    items = []
    for number, folder in Checkout.here().catalog.folders.items():
        slug = folder.name.partition("-")[2]
        if str(number).startswith(incomplete):
            items.append(CompletionItem(str(number), help=slug))
        elif slug.startswith(incomplete):
            items.append(CompletionItem(slug, help=str(number)))
    return items


exercise_argument = click.argument("exercise", type=ExerciseName())
exercises_argument = click.argument("exercises", type=ExerciseName(), nargs=-1)


def judging_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--file, --only, --seed, --json, --junit and --github, handed over by these names."""
    for option in reversed(
        (
            click.option("--file", "-f", metavar="FILE", default="", help="Judge this file instead; `-` is standard input."),
            click.option("--only", metavar="CHECK", multiple=True, help="Run only this check; may be given several times."),
            click.option("--seed", type=int, help="Replay the randomised checks of an earlier verdict."),
            click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON."),
            click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML too."),
            click.option("--github", is_flag=True, help="Print GitHub annotations too."),
        )
    ):
        command = option(command)
    return command
