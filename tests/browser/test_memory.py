"""Where the browser keeps nothing, everything works for this visit, and the page says so."""

import json

import pytest

from .conftest import open_exercise, press, submit, until, write
from .test_storage import NOTICE, TEXT, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

THROWS = "IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); };"
FAILS = """
IDBFactory.prototype.open = () => {
  const request = { error: new DOMException('denied', 'InvalidStateError') };
  setTimeout(() => request.onerror());
  return request;
};
"""
NO_SESSION = "Storage.prototype.setItem = Storage.prototype.getItem = () => { throw new DOMException('denied', 'SecurityError'); };"
LINE = "document.querySelector('.page-note')?.innerText"


@pytest.fixture(params=[THROWS, FAILS], ids=["throws", "fails"])
def denied(context, request):
    """A page of a browser that opens no database."""
    context.add_init_script(request.param)
    return context.new_page()


def open_playground(page, server, fragment=""):
    page.goto(f"{server.address}playground.html{fragment}")
    until(page, "document.querySelector('#play')?.hasAttribute('data-ready')")


def test_without_storage_an_exercise_and_the_progress_last_for_the_visit(denied, server):
    page = denied
    open_exercise(page, server)
    assert "keeps nothing for this site (denied)" in until(page, LINE) and "when you close this tab" in page.inner_text(".page-note")
    wrong = "def plan(*args, **more):\n    return {}\n"
    assert submit(page, wrong)[0] == "wrong answer"
    press(page, "Start over")
    until(page, f"{TEXT} !== {wrong!r}")
    press(page, "Earlier texts")
    until(page, "document.querySelectorAll('.earlier li').length === 2")
    page.click(".earlier button >> nth=0")
    until(page, f"{TEXT} === {wrong!r}")
    saved(page)
    page.reload()
    until(page, f"document.querySelector('#judge')?.hasAttribute('data-ready') && {TEXT} === {wrong!r}")
    page.goto(f"{server.address}progress.html")
    until(page, "document.querySelector('#progress')?.hasAttribute('data-ready')")
    assert "1 attempt" in page.inner_text("#progress") and "keeps nothing" in page.inner_text(".page-note")
    with page.expect_download() as caught:
        press(page, "Export")
    assert "attempt" in [event["kind"] for event in json.loads(caught.value.path().read_text())["events"]]


def test_without_storage_shared_links_open(denied, server):
    page = denied
    open_exercise(page, server)
    write(page, "# shared\n")
    press(page, "Share")
    link = until(page, "document.querySelector('.judge-notice input')?.value")
    fragment = "#" + link.partition("#")[2]
    write(page, "# mine\n")
    saved(page)
    page.goto("about:blank")
    page.goto(link)
    assert "carries" in until(page, NOTICE)
    press(page, "Open it")
    until(page, f"{TEXT} === '# shared\\n'")
    open_playground(page, server, fragment)
    assert page.locator("#play .cm-content").count() == 1


def test_without_any_storage_the_line_says_when_it_is_gone(context, server):
    context.add_init_script(THROWS + NO_SESSION)
    page = context.new_page()
    open_exercise(page, server)
    assert "when you leave this page" in until(page, LINE)
    write(page, "# mine\n")
    saved(page)
    press(page, "Start over")
    until(page, f"{TEXT} !== '# mine\\n'")


def test_a_tab_gives_way_to_who_deletes_the_database_and_opens_it_again(context, server):
    one, two = context.new_page(), context.new_page()
    open_exercise(one, server)
    write(one, "# mine\n")
    saved(one)
    until(one, "!document.querySelector('#judge').page.draft.isUnsaved")
    deleting = "new Promise((resolve) => { const request = indexedDB.deleteDatabase('practice'); request.onsuccess = () => resolve('deleted'); request.onblocked = () => resolve('blocked'); })"
    assert one.evaluate(deleting) == "deleted"
    open_exercise(two, server)
    assert two.evaluate(TEXT) != "# mine\n" and two.locator(".page-note").count() == 0
    two.close()
    saved(one)  # the text as it was: what is stored of it is gone
    one.reload()
    until(one, f"document.querySelector('#judge')?.hasAttribute('data-ready') && {TEXT} === '# mine\\n'")


def test_a_connection_that_the_browser_closed_is_opened_again(page, server):
    page.add_init_script("""
      const open = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (...given) {
        if (globalThis.closesNext) { globalThis.closesNext = false; this.close(); }
        return open.apply(this, given);
      };
    """)
    open_exercise(page, server)
    page.evaluate("globalThis.closesNext = true")
    write(page, "# mine\n")
    saved(page)
    assert not page.evaluate("document.querySelector('#judge').page.draft.isUnsaved")
    page.reload()
    until(page, f"document.querySelector('#judge')?.hasAttribute('data-ready') && {TEXT} === '# mine\\n'")


def test_a_database_that_does_not_open_holds_nobody_up_for_long(context, server):
    holder, page = context.new_page(), context.new_page()
    holder.goto(f"{server.address}about.html")
    holder.evaluate("""new Promise((resolve) => {
      const request = indexedDB.open('practice', 1);
      request.onsuccess = () => { globalThis.held = request.result; resolve(); };
    })""")
    holder.evaluate("void indexedDB.deleteDatabase('practice')")  # waits for the connection above, and all who open it wait, too
    open_exercise(page, server)
    assert "its storage does not answer" in until(page, LINE)
    write(page, "# mine\n")
    saved(page)
    holder.close()
