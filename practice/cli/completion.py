"""`judge.py completion bash`: what makes the shell complete verbs and exercises."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> int:
    """Print a script that completes commands and exercises of ./judge.py in your shell.

    \b
    Example: eval "$(./judge.py completion bash)"
             ./judge.py hi<Tab>
    """
    from practice.cli.group import cli

    complete = get_completion_class(shell)
    print(complete(cli, {}, "judge.py", "_JUDGE_PY_COMPLETE").source())
    return 0
