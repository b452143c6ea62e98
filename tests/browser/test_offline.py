"""The service worker: offline after the first visit, clean updates, never two versions at once."""

import pytest

from practice.bundle.site import part_of_site
from practice.render.build import build

from .conftest import Server, open_exercise, submit, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CACHED = "caches.keys().then(names => names.filter(name => name.startsWith('practice-')))"


def settled(page):
    """Waits until the service worker controls the page and has kept what the page had loaded."""
    until(page, "navigator.serviceWorker.controller !== null")
    page.wait_for_load_state("networkidle")


@pytest.fixture
def own(checkout, tmp_path):
    """A site and server of this test's own, which may go away and come back changed."""
    part = part_of_site(checkout)
    build(checkout, tmp_path / "practice", python=part)
    server = Server(tmp_path)
    yield server, tmp_path / "practice", part
    server.close()


def test_a_visited_exercise_is_judged_offline_and_an_unvisited_page_says_so(page, own):
    server, _, _ = own
    open_exercise(page, server)
    assert submit(page, "def plan(*args, **more):\n    return {}\n")[0] == "wrong answer"
    settled(page)
    page.wait_for_timeout(1500)  # the keeping of what was loaded goes on behind
    server.switch(on=False)
    page.reload()
    until(page, "document.querySelector('#judge')?.hasAttribute('data-ready')")
    assert submit(page, "def plan(*args, **more):\n    return {}\n")[0] == "wrong answer"
    page.goto(f"{server.address}exercises/180-kv-bytes.html")
    assert "no such page" in page.inner_text("main").lower() or "not found" in page.title().lower()
    page.goto("about:blank")
    page.wait_for_timeout(500)  # the last of the refused connections are still being told
    page.context.said.clear()


def test_an_update_is_offered_and_no_page_mixes_two_versions(page, own, checkout):
    server, out, part = own
    open_exercise(page, server)
    settled(page)
    (before,) = page.evaluate(CACHED)
    sheet = checkout / "site/static/site.css"
    text = sheet.read_text()
    try:
        sheet.write_text(text + "\n.of-the-second-version { color: red; }\n")
        build(checkout, out, python=part)
    finally:
        sheet.write_text(text)
    page.reload()  # still the first version, whole
    assert page.evaluate("[...document.styleSheets].every(sheet => ![...sheet.cssRules].some(rule => rule.cssText.includes('second-version')))")
    until(page, "document.querySelector('.new-version')")
    page.click(".new-version button")
    until(page, "[...document.styleSheets].some(sheet => [...sheet.cssRules].some(rule => rule.cssText.includes('second-version')))")
    until(page, f"{CACHED}.then(names => names.length === 1 && names[0] !== {before!r})")
    page.context.said.clear()
