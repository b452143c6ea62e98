"""Building: everything wrong at once, the last good site kept, only what changed rendered, same input same bytes."""

import json
import shutil
from pathlib import Path

import pytest

from practice.chapters.finding import BrokenSources
from practice.kernel.errors import PracticeError
from practice.render.build import build

HERE = Path(__file__).resolve()
ROOT, CHECKOUT = HERE.parents[2], HERE.parents[1] / "site" / "checkout"


@pytest.fixture
def checkout(tmp_path):
    """A small checkout of its own, with the real templates and styles."""
    shutil.copytree(CHECKOUT, tmp_path / "co")
    (tmp_path / "co" / "site").symlink_to(ROOT / "site")
    return tmp_path / "co"


def files_of(out):
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_second_build_renders_nothing_and_equals_a_build_from_nothing(checkout, tmp_path):
    first = build(checkout, checkout / "out")
    before = files_of(checkout / "out")
    second = build(checkout, checkout / "out")
    assert (first.rendered, second.rendered) == (first.pages, 0)
    assert files_of(checkout / "out") == before
    build(checkout, tmp_path / "other", cache=tmp_path / "cache")
    assert files_of(tmp_path / "other") == before


def test_one_changed_chapter_renders_its_pages_and_equals_a_build_from_nothing(checkout, tmp_path):
    build(checkout, checkout / "out")
    edit(checkout / "chapters" / "02-shop.md", "Put a router in front.", "Put two routers in front.")
    report = build(checkout, checkout / "out")
    # The chapter, its walkthrough, notes and interview, and the search page, which names the index.
    assert report.rendered == 5
    build(checkout, tmp_path / "other", cache=tmp_path / "cache")
    assert files_of(checkout / "out") == files_of(tmp_path / "other")


def test_page_that_is_gone_leaves_the_site(checkout):
    build(checkout, checkout / "out")
    shutil.rmtree(checkout / "exercises" / "102-triple")
    edit(checkout / "exercises" / "101-double" / "exercise.toml", "next = 102\n", "")
    edit(checkout / "chapters" / "02-shop.md", "[101, 102]", "[101]")
    build(checkout, checkout / "out")
    assert not (checkout / "out" / "exercises" / "102-triple.html").exists()
    assert not (checkout / "out" / "topics" / "scheduling.html").exists()


def test_everything_wrong_is_told_in_one_run_and_the_last_site_stays(checkout):
    build(checkout, checkout / "out")
    before = files_of(checkout / "out")
    tools, shop = checkout / "chapters" / "01-tools.md", checkout / "chapters" / "02-shop.md"
    edit(tools, "[20.9](=1000*weights/bandwidth:.1f) ms", "[21.9](=1000*weights/bandwidth:.1f) ms")
    edit(tools, "](02-shop.md#estimate)", "](02-shop.md#estimates)")
    edit(tools, "(term:goodput)", "(term:badput)")
    edit(tools, "exercises = [101]", "exercises = [101, 108]")
    edit(shop, "import math", "import nothing_of_that_name")
    (checkout / "chapters" / "03-none.md").write_text("no front matter\n")
    (checkout / "chapters" / "04-bytes.md").write_bytes(b"+++\n\xff\n")
    (checkout / "chapters" / "05-same.md").write_text(
        tools.read_text().replace("order = 1", "order = 5").replace("## Pictures", "## The roofline")
    )
    (checkout / "exercises" / "101-double" / "hints.md").unlink()
    with pytest.raises(BrokenSources) as caught:
        build(checkout, checkout / "out")
    told = str(caught.value)
    for words in (
        "01-tools.md:25: the text says '21.9', but 1000*weights/bandwidth:.1f gives '20.9'",
        "02-shop.md has no anchor #estimates",
        "hint: the nearest are estimate",
        "there is no term 'badput' in chapters/glossary.toml",
        "`exercises` names 108",
        "ModuleNotFoundError: No module named 'nothing_of_that_name'",
        "03-none.md:1: no front matter",
        "04-bytes.md:2: byte 4 is not UTF-8",
        "the anchor #the-roofline is already that of line 13",
        "slug 'tools' is already that of chapters/01-tools.md",
        "exercises/101-double/hints.md: the file is missing",
    ):
        assert words in told, told
    assert files_of(checkout / "out") == before
    assert [path.name for path in checkout.iterdir() if path.name.startswith("out")] == ["out"]


def test_a_folder_that_is_no_site_is_not_replaced(checkout):
    (checkout / "out").mkdir()
    (checkout / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(PracticeError, match="not a built site"):
        build(checkout, checkout / "out")
    assert (checkout / "out" / "thesis.txt").read_text() == "mine"


def test_broken_cache_costs_time_and_nothing_else(checkout):
    build(checkout, checkout / "out")
    before = files_of(checkout / "out")
    for path in (checkout / ".cache").rglob("*.json"):
        path.write_text("{")
    (checkout / "out" / ".site.json").write_text("[")
    build(checkout, checkout / "out")
    assert files_of(checkout / "out") == before


def test_site_made_for_an_address_names_it(checkout):
    build(checkout, checkout / "out", url="https://example.org/practice")
    out = checkout / "out"
    assert "<loc>https://example.org/practice/chapters/tools.html</loc>" in (out / "sitemap.xml").read_text()
    assert "404" not in (out / "sitemap.xml").read_text()
    assert '<link rel="canonical" href="https://example.org/practice/chapters/tools.html">' in (out / "chapters" / "tools.html").read_text()
    assert 'href="/practice/chapters/index.html"' in (out / "404.html").read_text()


def test_starter_and_hints_stand_on_the_exercise_page_and_solutions_do_not(checkout):
    (checkout / "exercises" / "101-double" / "solution.py").write_text("SECRET = 1\n")
    build(checkout, checkout / "out")
    html = (checkout / "out" / "exercises" / "101-double.html").read_text()
    assert html.count('<details class="hint">') == 3 and "python judge.py 101" in html
    assert not any(b"SECRET" in data for data in files_of(checkout / "out").values())


def test_manifest_lists_every_page_once(checkout):
    report = build(checkout, checkout / "out")
    manifest = json.loads((checkout / "out" / ".site.json").read_text())
    assert len(manifest["pages"]) == report.pages == len(list((checkout / "out").rglob("*.html")))
