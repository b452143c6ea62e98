"""`judge.py build`: chapters and exercises to a static site."""

from pathlib import Path

import click

from practice.cli.checkout import ROOT, shown
from practice.kernel.errors import PracticeError


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=None, help="Folder of the site (out/site).")
@click.option("--url", default="", help="Address the site is published at, for canonical links and the sitemap.")
@click.option("--only", "names", multiple=True, metavar="CHAPTER", help="Check these chapters alone: 04, a slug or a file; writes no site.")
@click.option("--check", is_flag=True, help="Check all chapters; write no site.")
@click.option("--update", is_flag=True, help="Rewrite outputs and numbers in the chapters; review them as a diff.")
@click.option("--without-python", is_flag=True, help="Pages without the browser's judge: exercises show the shell command.")
@click.option("--compress", is_flag=True, help="Put .br and .gz beside each file, for hosts that serve them.")
@click.option("--root", type=click.Path(path_type=Path, file_okay=False, exists=True), default=ROOT, hidden=True)
@click.pass_context
def command(
    ctx: click.Context, out: Path | None, url: str, names: tuple[str, ...], check: bool, update: bool, without_python: bool, compress: bool, root: Path
) -> None:
    """Build the site from chapters and exercises.

    \b
    judge.py build                        the whole site, into out/site
    judge.py build --only 04              run and check chapter 04
    judge.py build --only 04 --update     the same, and rewrite what it says was computed
    """
    try:
        if names or check or update:
            check_chapters(root.resolve(), names, update)
        else:
            build_site(root.resolve(), out or root / "out" / "site", url, without_python)
            if compress:
                compress_site(out or root / "out" / "site")
    except PracticeError as error:
        click.echo(str(error), err=True)
        ctx.exit(1)


def check_chapters(root: Path, names: tuple[str, ...], update: bool) -> None:
    from practice.render import author

    cache = root / ".cache" / "site"
    paths = author.find_chapters(root, names)
    changed = author.update_chapters(root, cache, paths) if update else []
    for chapter in author.check_chapters(root, cache, paths, changed):
        rewritten = ", rewritten" if chapter.changed else ""
        click.echo(f"{chapter.file}: {chapter.words:,} words, {chapter.blocks} blocks, {chapter.values} numbers in the prose{rewritten}")


def build_site(root: Path, out: Path, url: str, without_python: bool) -> None:
    from practice.bundle.site import Part, part_of_site
    from practice.render.build import build

    python = Part() if without_python else part_of_site(root, lambda line: click.echo(line, err=True))
    if python.note:
        click.echo(python.note, err=True)
    report = build(root, out, url=url, python=python)
    click.echo(f"{shown(out)}: {report.pages} pages, {report.rendered} rendered, {report.bytes / 1e6:.1f} MB, {report.seconds:.2f} s")


def compress_site(out: Path) -> None:
    from practice.bundle.sibling import siblings

    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file() and not path.name.startswith(".")}
    for name, data in siblings(files, lambda line: click.echo(line, err=True)).items():
        (out / name).write_bytes(data)


if __name__ == "__main__":
    command()
