"""Quick work on single chapters: run and check one, or rewrite what it says was computed."""

from dataclasses import dataclass
from pathlib import Path

from practice.chapters.compare import updated
from practice.chapters.finding import BrokenSources, Finding
from practice.chapters.read import read_chapter
from practice.chapters.run import run_chapter
from practice.kernel.errors import NotFound
from practice.render.gather import chapter_files, gather
from practice.render.record import Records


@dataclass(frozen=True)
class Checked:
    """One chapter that was looked at."""

    file: str
    blocks: int
    values: int
    words: int
    changed: bool
    """--update rewrote it."""


def find_chapters(root: Path, names: tuple[str, ...]) -> list[Path]:
    """The files meant by numbers ("04"), slugs ("chat-70b") or paths; all of them when names is empty."""
    files = chapter_files(root)
    if not names:
        return files
    return [find_chapter(files, name) for name in names]


def find_chapter(files: list[Path], name: str) -> Path:
    stem = Path(name).name.removesuffix(".md")
    for path in files:
        number, _, slug = path.stem.partition("-")
        if stem in (path.stem, slug) or (stem.isdigit() and int(stem) == int(number)):
            return path
    raise NotFound(
        f"no chapter {name!r}", f"there are {', '.join(path.stem for path in files) or 'none'}", tuple(path.stem for path in files)
    )


def update_chapters(root: Path, cache: Path, paths: list[Path]) -> list[str]:
    """Rewrites outputs and numbers where they differ; the files that changed. Raises BrokenSources."""
    findings: list[Finding] = []
    changed = []
    for path in paths:
        chapter = read_chapter(path, root, findings)
        run = run_chapter(chapter, root, cache / "runs", findings) if chapter else None
        if chapter is None or run is None:
            continue
        text = path.read_text(encoding="utf-8")
        new = updated(chapter, run, text)
        if new != text:
            path.write_text(new, encoding="utf-8")
            changed.append(chapter.file)
    if findings:
        raise BrokenSources(findings)
    return changed


def check_chapters(root: Path, cache: Path, paths: list[Path], changed: list[str]) -> list[Checked]:
    """Runs the chapters' blocks and checks all that they say and link to. Raises BrokenSources with what concerns these chapters."""
    findings: list[Finding] = []
    gather(root, Records(root, cache), findings)
    names = {path.relative_to(root).as_posix() for path in paths}
    own = [finding for finding in findings if finding.file in names]
    if own:
        raise BrokenSources(own)
    return [checked(path, root, changed) for path in paths]


def checked(path: Path, root: Path, changed: list[str]) -> Checked:
    chapter = read_chapter(path, root, [])
    words = len(chapter.text.split())
    return Checked(chapter.file, len(chapter.blocks), len(chapter.values), words, chapter.file in changed)
