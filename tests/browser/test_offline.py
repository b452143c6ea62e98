"""The service worker: offline after the first visit, clean updates, never two versions at once."""

import pytest

from practice.bundle.site import part_of_site
from practice.render.build import build

from .conftest import Server, open_exercise, press, submit, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CACHED = "caches.keys().then(names => names.filter(name => name.startsWith('practice-')))"
EVERYTHING_IS_KEPT = """(async () => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("practice-"));
  const cache = await caches.open(name);
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name).filter((address) => address.startsWith("http"));
  const kept = await Promise.all([location.href, ...loaded].map((address) => cache.match(address)));
  return kept.every(Boolean);
})()"""
ANSWER = "def plan(*args, **more):\n    return {}\n"


def settled(page):
    """Waits until the service worker controls the page and has kept all that the page has loaded."""
    until(page, "navigator.serviceWorker.controller !== null")
    until(page, EVERYTHING_IS_KEPT)


def judge_offline(page, server):
    server.switch(on=False)
    page.reload()
    until(page, "document.querySelector('#judge')?.hasAttribute('data-ready')")
    assert submit(page, ANSWER)[0] == "wrong answer"


def leave(page):
    page.goto("about:blank")
    page.wait_for_timeout(500)  # the last of the refused connections are still being told
    page.context.said.clear()


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
    assert submit(page, ANSWER)[0] == "wrong answer"
    settled(page)
    judge_offline(page, server)
    page.goto(f"{server.address}exercises/180-kv-bytes.html")
    assert "You are offline, and this page is not kept yet" in page.inner_text("main")
    until(page, "[...document.styleSheets].some(sheet => sheet.href.endsWith('site.css') && sheet.cssRules.length > 10)")  # from a nested address, too
    page.click("#kept a[href$='184-fleet-size.html']")
    until(page, "document.querySelector('h1')?.textContent.includes('QPS to GPU count')")
    page.goto(f"{server.address}exercises/180-kv-byte.html")  # typed wrongly: this build knows that there is none
    assert "no such page" in page.inner_text("main").lower()
    page.goto(f"{server.address}exercises/180-kv-bytes.html")
    page.context.said.clear()
    server.switch(on=True)
    page.click("text=Try again")
    until(page, "document.querySelector('#judge') !== null")
    leave(page)


def test_a_file_that_was_still_loading_when_the_service_worker_came_is_kept(page, own):
    server, _, _ = own
    server.late.add("pyodide")
    open_exercise(page, server)
    page.evaluate("document.querySelector('#judge').page.warm()")
    until(page, "navigator.serviceWorker.controller !== null")
    assert submit(page, ANSWER)[0] == "wrong answer"
    settled(page)
    judge_offline(page, server)
    leave(page)


def test_after_a_broken_load_python_is_loaded_again(page, own):
    server, _, _ = own
    server.refused.add("stdlib")
    open_exercise(page, server)
    press(page, "Submit")
    words = until(page, "document.querySelector('.judge-verdict').textContent.includes('did not run') && document.querySelector('.judge-verdict').textContent")
    assert "stdlib" in words and "could not be loaded (no connection)" in words
    server.refused.clear()
    assert submit(page, ANSWER)[0] == "wrong answer"
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
