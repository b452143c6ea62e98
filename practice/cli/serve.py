"""`judge.py serve`: the site on this machine, built again when a source changes."""

import threading
from pathlib import Path

import click

from practice.cli.checkout import ROOT


@click.command()
@click.option("--port", default=8000, show_default=True, help="Port to listen on.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for the local network.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=None, help="Folder of the site (out/site).")
@click.option("--root", type=click.Path(path_type=Path, file_okay=False, exists=True), default=ROOT, hidden=True)
@click.pass_context
def command(ctx: click.Context, port: int, host: str, out: Path | None, root: Path) -> None:
    """Show the site and rebuild what changes.

    \b
    judge.py serve
    judge.py serve --port 9000
    """
    from practice.render.serve import make_server, watch

    root, out = root.resolve(), out or root / "out" / "site"
    try:
        server = make_server(out, host, port)
    except OSError as error:
        click.echo(f"port {port} of {host} cannot be had: {error.strerror}\n\nhint: choose another with --port", err=True)
        ctx.exit(2)
    stop = threading.Event()
    rebuild(root, out)
    threading.Thread(target=watch, args=(root, lambda: rebuild(root, out), stop), daemon=True).start()
    click.echo(f"http://{host}:{server.server_port}/  (Ctrl+C ends it)", err=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("", err=True)
    finally:
        stop.set()
        server.server_close()


def rebuild(root: Path, out: Path) -> None:
    """Builds in a process of its own, so that changed code counts too; the last good site stays where it fails."""
    import subprocess
    import sys

    ended = subprocess.run([sys.executable, "-m", "practice.cli.build", "--root", str(root), "--out", str(out)], cwd=ROOT, check=False)
    if ended.returncode and not out.exists():
        raise SystemExit(ended.returncode)


if __name__ == "__main__":
    command()
