"""Every page: valid HTML, nothing for axe to find in both schemes, readable on a phone, without scripts and from disk."""

import hashlib
import re
from html import unescape
from pathlib import Path

import html5lib
import pytest

PAGES = (
    "index.html", "chapters/index.html", "chapters/tools.html", "chapters/shop.html", "exercises/index.html", "exercises/101-double.html",
    "topics/estimation.html", "interview/index.html", "interview/shop.html", "walkthrough/shop.html", "walkthrough/shop-notes.html",
    "roadmap.html", "glossary.html", "search.html", "about.html", "404.html", "offline.html",
)  # fmt: skip
VENDOR = Path(__file__).resolve().parents[2] / "site" / "static" / "vendor"


def test_every_page_is_valid_html(site):
    parser = html5lib.HTMLParser(strict=True)
    for path in site.rglob("*.html"):
        parser.parse(path.read_text(encoding="utf-8"))


def test_no_page_holds_inline_script_or_style_or_an_address_elsewhere(site):
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\ssrc=)", html) and not re.search(r"<style|\sstyle=|\son\w+=", html), path
        loaded = re.findall(r'(?:<script|<img|<link rel="(?:stylesheet|icon)")[^>]*?(?:src|href)="([^"]+)"', html)
        assert loaded and not any(re.match(r"[a-z]+:|//", link) for link in loaded), path
        policy = unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html).group(1))
        assert "script-src 'self';" in policy and "default-src 'none';" in policy and "unsafe" not in policy, path


def test_every_page_has_title_description_and_one_heading(site):
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        assert re.search(r"<title>[^<]{5,}</title>", html) and re.search(r'<meta name="description" content="[^"]{10,}">', html), path
        assert len(re.findall(r"<h1\b", html)) == 1, path


def test_chapter_page_is_light(site):
    # Without figures it is far below 150 KB; styles and scripts come once for the whole site.
    html = re.sub(r"<svg.*?</svg>", "", (site / "chapters" / "shop.html").read_text(encoding="utf-8"), flags=re.DOTALL)
    assets = sum(next(site.rglob(name)).stat().st_size for name in ("site.css", "theme.js", "page.js"))
    assert len(html.encode()) + assets < 150_000


def test_vendored_files_have_the_recorded_hashes():
    table = re.findall(r"^\| (\S+\.js) \|.*\| ([0-9a-f]{64}) \|$", (VENDOR / "README.md").read_text(), re.MULTILINE)
    lines = [
        (Path(name).name, digest)
        for digest, name in re.findall(r"^(\w{64})  (\S+)$", (VENDOR.parents[1] / "editor" / "editor.sha256").read_text(), re.MULTILINE)
    ]
    assert dict(table + lines) == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")}


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(chromium, address, scheme):
    from axe_playwright_python.sync_playwright import Axe

    context = chromium.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    found = {}
    for path in PAGES:
        page.goto(address + path)
        for summary in page.locator("details > summary").all():
            if summary.is_visible() and summary.get_attribute("aria-disabled") != "true":
                summary.click()
        result = Axe().run(page, options={"resultTypes": ["violations"]})
        for violation in result.response["violations"]:
            found.setdefault(path, []).append((violation["id"], [node["target"] for node in violation["nodes"]][:3]))
    context.close()
    assert found == {}


@pytest.mark.browser
def test_no_page_is_wider_than_a_phone(chromium, address):
    context = chromium.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    wide = []
    for path in PAGES:
        page.goto(address + path)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
    context.close()
    assert wide == []


@pytest.mark.browser
def test_everything_is_readable_without_scripts(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "chapters/shop.html")
    assert page.get_by_text("We need 7 instances.").is_visible()
    page.get_by_text("Show the computed value").click()
    assert page.get_by_text("a seventh of a replica").is_visible()
    assert page.get_by_role("button", name="Commit").count() == 0
    page.goto(address + "exercises/101-double.html")
    page.get_by_text("Hint 3 of 3").click()
    assert page.get_by_text("Multiply.").is_visible()
    page.goto(address + "walkthrough/shop.html")
    assert page.get_by_role("heading", name="Fleet").is_visible() and page.get_by_text("Put a router in front.").is_visible()
    page.goto(address + "interview/shop.html")
    assert page.get_by_text("Knows the floor").is_visible() and not page.locator("#view-card").is_visible()
    context.close()


@pytest.mark.browser
def test_site_works_from_disk(page, site):
    page.goto((site / "index.html").as_uri())
    page.get_by_role("link", name="Chapters", exact=True).click()
    page.get_by_role("link", name=re.compile("The tools")).click()
    assert page.locator("html.js").count() == 1
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(252, 251, 247)"
    page.goto((site / "search.html").as_uri())
    page.get_by_label("Words").fill("router")
    page.get_by_role("link", name="Fleet").click()
    assert page.url.endswith("chapters/shop.html#fleet")


@pytest.mark.browser
def test_colours_follow_the_system_until_chosen_and_the_choice_stays(page, address):
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.goto(address + "index.html")
    assert page.evaluate(background) == "rgb(20, 23, 26)"
    page.get_by_role("button", name="Colours: as the system").click()
    assert page.evaluate(background) == "rgb(252, 251, 247)"
    page.goto(address + "glossary.html")
    assert page.evaluate(background) == "rgb(252, 251, 247)"
    page.get_by_role("button", name="Colours: light").click()
    page.get_by_role("button", name="Colours: dark").click()
    page.emulate_media(color_scheme="light")
    assert page.evaluate(background) == "rgb(252, 251, 247)"


@pytest.mark.browser
def test_print_leaves_the_frame_out(page, address):
    page.goto(address + "chapters/tools.html")
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator(".top").is_visible() and not page.locator(".toc").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.browser
def test_missing_page_answers_with_ways_on(address, chromium):
    # A host that serves 404.html for any address: its links must not be relative.
    page = chromium.new_page()
    answer = page.goto(address.replace("/sub/practice/", "/nothing/here/at/all.html"))
    assert answer.status == 404
    page.close()
