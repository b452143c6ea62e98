"""Source files to records: everything the pages need of one chapter, exercise or glossary, kept by content.

A record is plain JSON with "files": {path: digest} of everything it was made from. While those and the code are the same it is
taken from the cache, and neither Markdown nor Python blocks are touched.
"""

import hashlib
import json
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from practice.catalog.find import Entry
from practice.catalog.read import split_hints
from practice.chapters.chapter import Chapter
from practice.chapters.compare import check_outputs
from practice.chapters.finding import Finding
from practice.chapters.glossary import read_glossary
from practice.chapters.notebook import to_notebook
from practice.chapters.read import read_chapter, read_text
from practice.chapters.run import NOTHING, Run, run_chapter
from practice.render.search import count_words

TEXTS = ("prompt.md", "starter.py", "hints.md", "after.md")


class Records:
    """Makes records, or takes them from the cache folder."""

    def __init__(self, root: Path, cache_folder: Path) -> None:
        self.root = root
        self.cache = cache_folder / "records"
        self.runs = cache_folder / "runs"
        self.digests: dict[str, str] = {}
        self.loaded: dict[Path, dict] = {}

    def warm(self, paths: list[Path]) -> None:
        """Makes the chapters' records that are missing in several processes, when there are enough of them to be worth it.

        Only the cache is filled: a chapter with findings is made again, and its findings kept, when it is asked for.
        """
        stale = [path for path in paths if self._load(self.cache / f"chapter-{path.stem}.json") is None]
        workers = min(os.cpu_count() or 1, len(stale) // 4)
        if workers < 2 or not hasattr(os, "fork"):
            return
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(workers, get_context("fork")) as pool:
            list(pool.map(partial(warm_chapter, self.root, self.cache.parent), stale, chunksize=4))

    def chapter(self, path: Path, findings: list[Finding]) -> dict | None:
        return self._keep(f"chapter-{path.stem}", [path], findings, lambda: self._chapter(path, findings))

    def exercise(self, entry: Entry, findings: list[Finding]) -> dict | None:
        files = [entry.folder / "exercise.toml", *(entry.folder / name for name in TEXTS)]
        return self._keep(f"exercise-{entry.id}", files, findings, lambda: self._exercise(entry, findings))

    def glossary(self, path: Path, findings: list[Finding]) -> dict | None:
        return self._keep("glossary", [path], findings, lambda: self._glossary(path, findings))

    def _keep(self, name: str, files: list[Path], findings: list[Finding], make: Callable[[], dict | None]) -> dict | None:
        """The record, from the cache when nothing it was made from has changed. One with findings is not kept."""
        store = self.cache / f"{name}.json"
        kept = self._load(store)
        if kept is not None:
            return kept
        before = len(findings)
        record = make()
        if record is not None:
            record["search"] = [count_words(section) for section in record["search"]]
        if record is None or len(findings) > before:
            return record
        names = {path.relative_to(self.root).as_posix() for path in files} | set(record.pop("read"))
        record["files"] = {file: self._digest(file) for file in sorted(names)}
        record["code"] = code_digest()
        text = json.dumps(record)
        record["key"] = hashlib.sha256(text.encode()).hexdigest()
        store.parent.mkdir(parents=True, exist_ok=True)
        beside = store.with_suffix(f".{os.getpid()}")
        beside.write_text(f'{text[:-1]}, "key": "{record["key"]}"}}', encoding="utf-8")
        beside.replace(store)
        return record

    def _load(self, store: Path) -> dict | None:
        if store in self.loaded:
            return self.loaded[store]
        try:
            record = json.loads(store.read_bytes())
            same = record["code"] == code_digest() and all(self._digest(file) == found for file, found in record["files"].items())
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        if same:
            self.loaded[store] = record
        return record if same else None

    def _digest(self, file: str) -> str:
        """SHA-256 of a file by its path from the root; "" when there is none."""
        if file not in self.digests:
            path = self.root / file
            self.digests[file] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        return self.digests[file]

    def _chapter(self, path: Path, findings: list[Finding]) -> dict | None:
        chapter = read_chapter(path, self.root, findings)
        if chapter is None:
            return None
        run = run_chapter(chapter, self.root, self.runs, findings)
        if run is not None:
            check_outputs(chapter, run, findings)
        return chapter_record(chapter, run or NOTHING, run is not None, self.root, findings) | {"read": self._imported(chapter)}

    def _imported(self, chapter: Chapter) -> list[str]:
        """Files the chapter's blocks imported, as its run has kept them, and its pictures."""
        pictures = [f"chapters/{name}" for name in re_pictures(chapter.text)]
        try:
            return [*json.loads((self.runs / f"{chapter.slug}.json").read_bytes())["imported"], *pictures]
        except (OSError, ValueError, KeyError):
            return pictures

    def _exercise(self, entry: Entry, findings: list[Finding]) -> dict | None:
        from practice.render.markdown import Link, Source, render_text
        from practice.render.section import to_text

        folder, file = entry.folder, entry.folder.relative_to(self.root).as_posix()
        texts = {}
        for name in TEXTS:
            path = folder / name
            if not path.is_file():
                findings.append(Finding(f"{file}/{name}", 0, "the file is missing", f"`judge.py check {entry.number}` shows everything"))
                texts[name] = ""
            else:
                texts[name] = read_text(path, f"{file}/{name}", findings) or ""
        links: list[Link] = []
        read: list[Path] = []

        def html(name: str, text: str, top: int, prefix: str = "") -> str:
            return render_text(Source(f"{file}/{name}", text, 0, folder, findings, top=top, prefix=prefix, links=links, files=read))

        prompt = html("prompt.md", texts["prompt.md"], 2)
        hints = [html("hints.md", hint, 3, f"hint-{index}-") for index, hint in enumerate(split_hints(texts["hints.md"]), 1)]
        after = html("after.md", texts["after.md"], 3, "after-")
        summary = to_text(prompt)
        return {
            **{key: getattr(entry, key) for key in ("number", "slug", "id", "title", "topic", "level", "minutes", "chapter", "next")},
            "needs": list(entry.needs),
            "prompt": prompt,
            "starter": texts["starter.py"],
            "starter_html": highlighted(texts["starter.py"]),
            "hints": hints,
            "after": after,
            "summary": summary[:155].rsplit(" ", 1)[0] + " ..." if len(summary) > 160 else summary,
            "links": [(f"{file}/prompt.md", *vars_of(link)) for link in links],
            "search": [{"title": entry.title, "anchor": "", "text": f"{summary} {entry.number} {entry.topic}"}],
            "read": [path.relative_to(self.root).as_posix() for path in read],
        }

    def _glossary(self, path: Path, findings: list[Finding]) -> dict | None:
        from practice.render.markdown import Link, Source, render_text
        from practice.render.section import to_text

        file = path.relative_to(self.root).as_posix()
        links: list[Link] = []
        terms = []
        for term in read_glossary(path, self.root, findings):
            html = render_text(Source(file, term.means, term.line, path.parent, findings, links=links))
            terms.append({"slug": term.slug, "term": term.term, "html": html, "see": list(term.see)})
        names = {term["slug"]: term["term"] for term in terms}
        for term in terms:
            term["see"] = [{"slug": slug, "term": names[slug]} for slug in term["see"] if slug in names]
        search = [{"title": term["term"], "anchor": term["slug"], "text": to_text(term["html"])} for term in terms]
        return {"terms": terms, "links": [(file, *vars_of(link)) for link in links], "search": search, "read": []}


def warm_chapter(root: Path, cache_folder: Path, path: Path) -> None:
    Records(root, cache_folder).chapter(path, [])


def chapter_record(chapter: Chapter, run: Run, ran: bool, root: Path, findings: list[Finding]) -> dict:
    """The record of a chapter that was read and run; `ran` is False when its blocks failed, and figures are missing."""
    from practice.render.markdown import Source
    from practice.render.section import contents, follow_ups, rubric, to_sections, to_text

    values = run.values if ran else tuple(value.text for value in chapter.values)
    source = Source(
        file=chapter.file,
        text=numbered(chapter, values),
        offset=chapter.offset,
        folder=root / "chapters",
        findings=findings,
        figures=run.figures,
        values={index: value.expression for index, value in enumerate(chapter.values)},
        questions={question.line: question for question in chapter.questions},
    )
    sections = to_sections(chapter, run, source)
    asked, points = follow_ups(sections), rubric(sections)
    if chapter.kind == "design":
        check_design(chapter, asked, points, findings)
    search = [
        {
            "title": s["title"] or chapter.title,
            "anchor": s["anchor"],
            "text": to_text("".join(p.get("html", "") for p in s["parts"] if p["kind"] == "text")),
        }
        for s in sections
    ]
    return {
        **{key: getattr(chapter, key) for key in ("title", "slug", "order", "kind", "summary", "minutes", "file")},
        "exercises": list(chapter.exercises),
        "phases": [{"title": phase.title, "minutes": phase.minutes} for phase in chapter.phases],
        "toc": contents(chapter),
        "sections": sections,
        "follow_ups": asked,
        "rubric": points,
        "notebook": to_notebook(chapter, run) if chapter.blocks and ran else "",
        "links": [(chapter.file, *vars_of(link)) for link in source.links],
        "anchors": [heading.anchor for heading in chapter.headings],
        "search": search,
    }


def check_design(chapter: Chapter, asked: list[dict], points: list[dict], findings: list[Finding]) -> None:
    places = {heading.text: heading.line for heading in chapter.headings}
    if len(asked) < 4 and "Follow-ups" in places:
        findings.append(
            Finding(
                chapter.file,
                places["Follow-ups"],
                f"{len(asked)} follow-ups, but a design needs at least 4",
                "write each as a `###` heading",
            )
        )
    if not 6 <= len(points) <= 12 and "Rubric" in places:
        hint = "write each as `- **The point.** What a strong answer contains`"
        findings.append(Finding(chapter.file, places["Rubric"], f"{len(points)} points in the rubric, but it needs 6 to 12", hint))


def numbered(chapter: Chapter, values: tuple[str, ...]) -> str:
    """The chapter's text with `[16.8](=limit:.1f)` as `[16.8](=3)`: an address Markdown takes whatever the expression holds."""
    lines = chapter.text.split("\n")
    for index, (value, text) in reversed(list(enumerate(zip(chapter.values, values, strict=True)))):
        at = value.line - chapter.offset - 1
        lines[at] = f"{lines[at][: value.start]}[{text}](={index}){lines[at][value.end :]}"
    return "\n".join(lines)


def re_pictures(text: str) -> list[str]:
    import re

    return re.findall(r"!\[[^\]]*\]\((figures/[^)\s]+)\)", text)


def highlighted(source: str) -> str:
    from practice.render.highlight import highlight

    return highlight(source, "python")


def vars_of(link) -> tuple[int, str, str, str]:
    return link.line, link.kind, link.target, link.anchor


@cache
def code_digest() -> str:
    """Digest of the code that makes records: a change of it makes every record stale."""
    total = hashlib.sha256()
    folder = Path(__file__).resolve().parent
    for path in sorted([*folder.glob("*.py"), *folder.parent.joinpath("chapters").glob("*.py")]):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()
