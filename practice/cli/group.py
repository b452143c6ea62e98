"""The command group: a verb's module is imported when the verb is used; what is no verb is an exercise to judge."""

from importlib import import_module

import click
from click.shell_completion import CompletionItem

from practice.cli.argument import exercises_like
from practice.cli.table import SECTIONS, VERBS


class LazyGroup(click.Group):
    """Loads its commands from the table of verbs, one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        module, _, attribute = VERBS[name].target.partition(":")
        return getattr(import_module(module), attribute)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # `judge.py 184 --json` and `judge.py --json 184` are both the verb `judge`.
        if args and args[0] not in VERBS and args[0] not in ("--help", "-h", "--version"):
            args = ["judge", *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, verbs in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, verb.help) for name, verb in verbs.items()], col_max=14)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        verbs = [CompletionItem(name, help=verb.help) for name, verb in VERBS.items() if name.startswith(incomplete)]
        return [*verbs, *exercises_like(incomplete)]


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from practice import __version__

        click.echo(f"practice {__version__}")
        ctx.exit()


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version.")
@click.pass_context
def cli(ctx: click.Context) -> int | None:
    """Practise for LLM-inference-systems interviews.

    \b
    judge.py              where you stopped, and what to do next
    judge.py 184          the question of exercise 184, then a verdict on your answer
    judge.py 184 my.py    a verdict on another file; `-` is standard input

    An exercise is named by its number, its slug, the beginning of one, or a path.
    """
    if ctx.invoked_subcommand is None:
        from practice.cli.welcome import welcome

        return welcome()
    return None
