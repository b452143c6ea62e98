"""Builds the site: gathers everything, renders what changed, writes beside the last site, then swaps."""

import gc
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from practice.bundle.offline import write_service_worker
from practice.bundle.site import Part
from practice.chapters.finding import BrokenSources, Finding
from practice.kernel.errors import PracticeError
from practice.render.assets import Assets, read_assets
from practice.render.check import check_site, marks_of
from practice.render.gather import Content, Targets, gather
from practice.render.page import Page
from practice.render.pages import all_pages
from practice.render.policy import WITH_PYTHON
from practice.render.record import Records
from practice.render.search import to_documents, to_index
from practice.render.template import Templates

MANIFEST = ".site.json"
NO_PYTHON = Part()
ADDRESS = "http://localhost:8000/"
"""Where `serve` shows the site; the canonical address until site.toml or --url gives another."""


@dataclass(frozen=True)
class Report:
    """What a build did."""

    pages: int
    rendered: int
    """Pages that changed."""
    bytes: int
    """Of all files written."""
    seconds: float


def build(root: Path, out: Path, *, cache: Path | None = None, url: str = "", python: Part = NO_PYTHON) -> Report:
    """Builds the site of the checkout `root` into `out`.

    python: what its pages run Python from (practice.bundle.site.part_of_site); without it they show the shell commands.
    Raises BrokenSources with everything that is wrong; `out` is then as it was.
    """
    begin = time.perf_counter()
    with collector_off():
        pages, rendered, size = build_all(root, out.resolve(), cache or root / ".cache" / "site", url, python)
    return Report(pages, rendered, size, time.perf_counter() - begin)


@contextmanager
def collector_off() -> Iterator[None]:
    """Without the cycle collector: it looks again and again at millions of tokens that are no garbage, a third of the time of parsing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def build_all(root: Path, out: Path, cache: Path, url: str, python: Part) -> tuple[int, int, int]:
    """(pages, pages rendered, bytes)."""
    previous = read_manifest(out)
    findings: list[Finding] = []
    content = gather(root, Records(root, cache), findings)
    if findings:
        raise BrokenSources(findings)
    settings = settings_of(content, url)
    assets = read_assets(root / "site")
    templates = Templates(root / "site", cache, assets, Targets(content), settings, python)
    fresh, manifest = render_pages(all_pages(content, root / "site"), templates, search_key(content), previous)
    files = {**other_files(content, settings, manifest, previous), **fresh, **python_files(python, manifest, previous)}
    kept = set(manifest["pages"]) | set(manifest["others"])
    check_site(
        {path: entry["marks"] for path, entry in manifest["pages"].items()}, kept | {assets.path(name) for name in assets.files}, findings
    )
    if findings:
        raise BrokenSources(findings)
    size = write_site(out, files, kept, assets, manifest)
    return len(manifest["pages"]), len(fresh), size


def settings_of(content: Content, url: str) -> dict:
    found = {"title": "Inference practice", "description": "", **content.settings}
    address = url or found.get("url") or ADDRESS
    return found | {"url": address.rstrip("/") + "/"}


def search_key(content: Content) -> str:
    """Digest of everything that can be searched."""
    keys = [record.get("key", "") for record in (*content.chapters, *content.exercises, content.glossary)]
    return hashlib.sha256("".join(keys).encode()).hexdigest()[:10]


def render_pages(pages: list[Page], templates: Templates, searched: str, previous: dict) -> tuple[dict[str, bytes], dict]:
    """(path to bytes of the pages that changed, the new manifest)."""
    fresh: dict[str, bytes] = {}
    manifest: dict = {"pages": {}, "others": {}, "search": searched}
    templates.search_index = f"data/search-{searched}.js"
    for page in pages:
        key = hashlib.sha256("\0".join([templates_key(templates, page), page.key, page.title, page.description]).encode()).hexdigest()
        before = previous["pages"].get(page.path)
        if before and before["key"] == key:
            manifest["pages"][page.path] = before
            continue
        html = templates.render(page)
        fresh[page.path] = html.encode()
        manifest["pages"][page.path] = {"key": key, "marks": marks_of(html), "listed": page.listed}
    return fresh, manifest


def templates_key(templates: Templates, page: Page) -> str:
    own = templates.search_index if page.template == "search.html" else ""
    return templates.key + own + (templates.python.manifest if page.template in WITH_PYTHON else "")


def python_files(python: Part, manifest: dict, previous: dict) -> dict[str, bytes]:
    """What the pages run Python from; a file of the same name has the same bytes, so it is only listed."""
    manifest["others"].update(dict.fromkeys(python.files, "named by its content"))
    return {path: data for path, data in python.files.items() if path not in previous["others"]}


def other_files(content: Content, settings: dict, manifest: dict, previous: dict) -> dict[str, bytes]:
    """Notebooks, the search index and the sitemap; those that an equal build has already written are only listed."""
    files: dict[str, bytes] = {}
    for chapter in content.chapters:
        if chapter["notebook"]:
            files[f"chapters/{chapter['slug']}.ipynb"] = chapter["notebook"].encode()
    files["sitemap.xml"] = sitemap(manifest["pages"], settings["url"]).encode()
    files["robots.txt"] = f"User-agent: *\nAllow: /\nSitemap: {settings['url']}sitemap.xml\n".encode()
    index = f"data/search-{manifest['search']}.js"
    if index not in previous["others"]:
        files[index] = f"window.searchIndex = {json.dumps(to_index(to_documents(searchable(content))), ensure_ascii=False)};\n".encode()
    manifest["others"] = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    manifest["others"].setdefault(index, previous["others"].get(index, ""))
    return {path: data for path, data in files.items() if previous["others"].get(path) != manifest["others"][path]}


def searchable(content: Content) -> list[tuple[str, str, str, list[dict]]]:
    pages = [(f"chapters/{c['slug']}.html", c["title"], "chapter", c["search"]) for c in content.chapters]
    pages += [(f"exercises/{e['id']}.html", f"Exercise {e['number']}", "exercise", e["search"]) for e in content.exercises]
    return [*pages, ("glossary.html", "Glossary", "term", content.glossary["search"])]


def sitemap(pages: dict, url: str) -> str:
    entries = "".join(
        f"<url><loc>{url}{path.removesuffix('index.html')}</loc></url>\n" for path, entry in sorted(pages.items()) if entry["listed"]
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'


def read_manifest(out: Path) -> dict:
    """What the site in `out` was made of. Raises PracticeError where the folder holds something else."""
    empty = {"pages": {}, "others": {}}
    if not out.exists():
        return empty
    if not out.is_dir() or (any(out.iterdir()) and not (out / MANIFEST).exists()):
        raise PracticeError(
            f"{out.name} holds something that is not a built site, and a build would replace it", "choose another folder with --out"
        )
    try:
        return {**empty, **json.loads((out / MANIFEST).read_bytes())}
    except (OSError, ValueError):
        return empty


def write_site(out: Path, files: dict[str, bytes], kept: set[str], assets: Assets, manifest: dict) -> int:
    """Writes a new folder beside `out`, takes unchanged files over from it, and swaps; returns the bytes of all files."""
    beside = out.with_name(f"{out.name}.new-{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        for path in sorted(kept - set(files)):
            take_over(out / path, beside / path)
        for path, data in files.items():
            target = beside / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for name, source in assets.files.items():
            take_over(out / assets.path(name), beside / assets.path(name), source)
        write_service_worker(beside)
        (beside / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        size = sum(path.stat().st_size for path in beside.rglob("*") if path.is_file())
        swap(beside, out)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return size


def take_over(old: Path, new: Path, source: Path | None = None) -> None:
    """Links or copies an unchanged file of the last site, or a new one from its source."""
    new.parent.mkdir(parents=True, exist_ok=True)
    if source is not None and not old.exists():
        shutil.copyfile(source, new)
        return
    try:
        os.link(old, new)
    except OSError:  # a file system without hard links
        shutil.copyfile(old, new)


def swap(beside: Path, out: Path) -> None:
    if not out.exists():
        beside.rename(out)
        return
    last = out.with_name(f"{out.name}.old-{os.getpid()}")
    out.rename(last)
    try:
        beside.rename(out)
    except OSError:
        last.rename(out)
        raise
    shutil.rmtree(last, ignore_errors=True)
