"""Everything the site is made from, read and checked before a page is rendered."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from practice.catalog.find import Catalog
from practice.catalog.suggestion import following
from practice.chapters.finding import Finding
from practice.render.record import Records


@dataclass(frozen=True)
class Content:
    """All records, in reading order."""

    chapters: tuple[dict, ...]
    exercises: tuple[dict, ...]
    glossary: dict
    roadmap: dict
    """goals of site/roadmap.toml."""
    settings: dict
    """site/site.toml."""
    pages: frozenset[str] = frozenset()
    """Names of site/pages, without the ending."""
    following: Mapping[int, int] = field(default_factory=dict)
    """Number of an exercise to the one to try after it."""


def gather(root: Path, records: Records, findings: list[Finding]) -> Content:
    """Reads all sources; everything wrong in any of them is in findings."""
    files = chapter_files(root)
    records.warm(files)
    chapters = [records.chapter(path, findings) for path in files]
    chapters = sorted(filter(None, chapters), key=lambda chapter: (chapter["order"], chapter["slug"]))
    catalog = Catalog(root)
    exercises = list(filter(None, (records.exercise(entry, findings) for entry in catalog.all())))
    for name in catalog.unreadable():
        hint = f"`judge.py check {name}` shows everything"
        findings.append(Finding(f"exercises/{name}/exercise.toml", 0, "it cannot be read", hint))
    glossary = records.glossary(root / "chapters" / "glossary.toml", findings) or {"terms": [], "links": [], "search": [], "key": ""}
    content = Content(
        tuple(chapters),
        tuple(exercises),
        glossary,
        read_toml(root, "site/roadmap.toml", findings),
        read_toml(root, "site/site.toml", findings),
        frozenset(path.stem for path in (root / "site" / "pages").glob("*.html")),
        following(catalog),
    )
    check_unique(content, findings)
    check_references(content, findings)
    return content


def chapter_files(root: Path) -> list[Path]:
    return [path for path in sorted((root / "chapters").glob("*.md")) if re.match(r"\d", path.name)]


def read_toml(root: Path, name: str, findings: list[Finding]) -> dict:
    try:
        return tomllib.loads((root / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        findings.append(Finding(name, 0, f"it cannot be read: {error}"))
        return {}


def check_unique(content: Content, findings: list[Finding]) -> None:
    """No two chapters share a slug or a number."""
    for key in ("slug", "order"):
        seen: dict = {}
        for chapter in content.chapters:
            if chapter[key] in seen:
                findings.append(Finding(chapter["file"], 0, f"{key} {chapter[key]!r} is already that of {seen[chapter[key]]}"))
            seen.setdefault(chapter[key], chapter["file"])


def check_references(content: Content, findings: list[Finding]) -> None:
    """Every exercise, chapter, term and anchor that is named exists."""
    targets = Targets(content)
    for chapter in content.chapters:
        for number in chapter["exercises"]:
            if not targets.exercise(str(number)):
                findings.append(
                    Finding(chapter["file"], 1, f"`exercises` names {number}, but there is no such exercise", targets.near(number))
                )
        for link in chapter["links"]:
            check_link(link, set(chapter["anchors"]), targets, findings)
    for exercise in content.exercises:
        own = set(re.findall(r'\bid="([^"]+)"', exercise["prompt"] + exercise["after"] + "".join(exercise["hints"])))
        for link in exercise["links"]:
            check_link(link, own, targets, findings)
    for link in content.glossary["links"]:
        check_link(link, set(targets.terms), targets, findings)
    for goal in content.roadmap.get("goal", ()):
        for step in goal["steps"]:
            for number in step.get("exercises", ()):
                if not targets.exercise(str(number)) and not targets.planned(number):
                    findings.append(
                        Finding("site/roadmap.toml", 0, f"the goal {goal['slug']!r} names exercise {number}, a number no topic owns")
                    )


class Targets:
    """What a link may point to, by the name a source uses for it."""

    def __init__(self, content: Content) -> None:
        self.chapters = {Path(chapter["file"]).name: chapter for chapter in content.chapters}
        self.exercises = {}
        for exercise in content.exercises:
            self.exercises |= dict.fromkeys((str(exercise["number"]), exercise["slug"], exercise["id"]), exercise)
        self.terms = {term["slug"] for term in content.glossary["terms"]}
        self.pages = content.pages
        self.slugs = {chapter["slug"]: chapter for chapter in content.chapters}

    def exercise(self, name: str) -> dict | None:
        return self.exercises.get(name)

    def planned(self, number: int) -> bool:
        from practice.catalog.topic import topic_of

        return bool(topic_of(number))

    def near(self, number: int) -> str:
        numbers = sorted({exercise["number"] for exercise in self.exercises.values()}, key=lambda known: abs(known - number))
        return f"the nearest are {', '.join(map(str, numbers[:3]))}" if numbers else ""

    def address(self, kind: str, name: str) -> str | None:
        """Path of the page from the site's root, or None where there is none."""
        if kind == "exercise" and (found := self.exercise(name)):
            return f"exercises/{found['id']}.html"
        if kind == "chapter" and name in self.chapters:
            return f"chapters/{self.chapters[name]['slug']}.html"
        if kind == "term" and name in self.terms:
            return f"glossary.html#{name}"
        if kind == "page" and name in self.pages:
            return f"{name}.html"
        return None


def check_link(link, own: set[str], targets: Targets, findings: list[Finding]) -> None:
    file, line, kind, name, anchor = link
    if kind == "anchor":
        if anchor not in own:
            findings.append(Finding(file, line, f"there is no anchor #{anchor} on this page", near_words(anchor, own)))
        return
    if targets.address(kind, name) is None:
        known = {"exercise": targets.exercises, "chapter": targets.chapters, "term": targets.terms, "page": targets.pages}[kind]
        where = " in chapters/glossary.toml" if kind == "term" else ""
        findings.append(Finding(file, line, f"there is no {kind} {name!r}{where}", near_words(name, known)))
    elif kind == "chapter" and anchor and anchor not in targets.chapters[name]["anchors"]:
        findings.append(Finding(file, line, f"{name} has no anchor #{anchor}", near_words(anchor, targets.chapters[name]["anchors"])))


def near_words(name: str, known) -> str:
    import difflib

    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.4)
    return f"the nearest are {', '.join(close)}" if close else ""
