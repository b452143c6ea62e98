"""What the page keeps: drafts in one and in two tabs, history, progress, shared links."""

import json

import pytest

from practice.progress.store import Progress

from .conftest import open_exercise, press, submit, until, write

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXT = "document.querySelector('#judge').page.editor.text"
NOTICE = "document.querySelector('.judge-notice')?.hidden === false && document.querySelector('.judge-notice').innerText"


def saved(page):
    page.evaluate("document.querySelector('#judge').page.draft.save()")


def test_a_draft_and_its_undo_history_survive_a_reload(page, server):
    open_exercise(page, server)
    starter = page.evaluate(TEXT)
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    saved(page)
    page.reload()
    until(page, "document.querySelector('#judge')?.hasAttribute('data-ready')")
    assert page.evaluate(TEXT) == starter + "# mine"
    page.click(".cm-content")
    for _ in range(3):
        page.keyboard.press("Control+z")
    assert page.evaluate(TEXT) == starter


def test_what_was_typed_just_before_closing_is_not_lost(page, server):
    open_exercise(page, server)
    write(page, "# typed a moment ago\n")
    page.reload()  # sooner than the draft is saved
    until(page, "document.querySelector('#judge')?.hasAttribute('data-ready')")
    assert page.evaluate(TEXT) == "# typed a moment ago\n"


def test_a_quiet_tab_follows_the_one_that_writes(context, server):
    one, two = context.new_page(), context.new_page()
    open_exercise(one, server)
    open_exercise(two, server)
    write(one, "# from one\n")
    saved(one)
    until(two, f"{TEXT} === '# from one\\n'")


@pytest.mark.parametrize(("button", "goes_on", "kept"), [("This tab's", "# from two\n", "# from one\n"), ("The other tab's", "# from one\n", "# from two\n")])
def test_two_tabs_never_overwrite_each_other_silently(context, server, button, goes_on, kept):
    one, two = context.new_page(), context.new_page()
    open_exercise(one, server)
    open_exercise(two, server)
    two.evaluate("(draft => { draft.channel.close(); draft.channel = null; })(document.querySelector('#judge').page.draft)")  # as if the word of it came too late
    write(one, "# from one\n")
    saved(one)
    until(one, "!document.querySelector('#judge').page.draft.isUnsaved")
    write(two, "# from two\n")
    saved(two)
    assert "another tab" in until(two, NOTICE)
    press(two, button)
    until(two, f"{TEXT} === {goes_on!r}")
    until(two, "!document.querySelector('#judge').page.draft.isUnsaved")
    press(two, "Earlier texts")
    two.click(".earlier button >> nth=0")
    until(two, f"{TEXT} === {kept!r}")


def test_submissions_are_kept_and_can_be_opened_again(page, server):
    open_exercise(page, server)
    wrong = "def plan(*args, **more):\n    return {}\n"
    assert submit(page, wrong)[0] == "wrong answer"
    write(page, "# another\n")
    press(page, "Earlier texts")
    assert "checks passed" in page.inner_text(".earlier")
    page.click(".earlier button >> nth=0")
    until(page, f"{TEXT} === {wrong!r}")


def test_progress_says_how_to_begin_and_then_shows_dates_that_nobody_misreads(chromium, page, server):
    page.goto(f"{server.address}progress.html")
    until(page, "document.querySelector('#progress')?.hasAttribute('data-ready')")
    assert page.locator("#progress table").count() == 0
    with page.expect_file_chooser():
        press(page, "Import what you exported there")
    page.click("#progress a")
    until(page, "document.querySelector('#judge')?.hasAttribute('data-ready')")
    assert "/exercises/180-" in page.url
    american = chromium.new_context(locale="en-US", timezone_id="America/New_York")
    page = american.new_page()
    page.goto(f"{server.address}progress.html")
    until(page, "document.querySelector('#progress')?.hasAttribute('data-ready')")
    event = {"id": "one", "at": 1_796_000_000, "kind": "attempt", "number": 184, "data": {"status": "accepted", "passed": 9, "total": 9}}
    page.set_input_files("#progress-file", {"name": "p.json", "mimeType": "application/json", "buffer": json.dumps({"format": 1, "events": [event]}).encode()})
    until(page, "document.querySelector('#progress table')")
    assert page.inner_text("#progress tbody td >> nth=4") == "29 Nov 2026, 19:53"
    american.close()


def test_progress_travels_to_the_shell_and_back(page, server, tmp_path):
    open_exercise(page, server)
    submit(page, "def plan(*args, **more):\n    return {}\n")
    page.goto(f"{server.address}progress.html")
    until(page, "document.querySelector('#progress')?.hasAttribute('data-ready')")
    assert "184" in page.inner_text("#progress") and "1 attempt" in page.inner_text("#progress")
    with page.expect_download() as caught:
        press(page, "Export")
    exported = json.loads(caught.value.path().read_text())
    with Progress(tmp_path / "shell.sqlite") as shell:
        assert shell.import_(exported) == len(exported["events"]) > 0
        assert shell.standing(184).attempts == 1 and shell.standing(184).total == 13
        shell.record("attempt", 180, status="accepted", passed=5, total=5, seconds=0.1, seed=1)
        back = tmp_path / "back.json"
        back.write_text(json.dumps(shell.export()))
    page.set_input_files("#progress-file", back)
    until(page, "document.querySelector('#progress [role=status]').textContent === '1 event added.'")
    assert "1 of 10 exercises solved" in page.inner_text("#progress")
    back.write_text('{"format": 9, "events": []}')
    page.set_input_files("#progress-file", back)
    until(page, "document.querySelector('#progress [role=status]').textContent.includes('but this version reads 1')")


def test_a_shared_link_asks_before_it_replaces_a_draft(context, server):
    one, two = context.new_page(), context.new_page()
    open_exercise(one, server)
    text = "# größer, and <b>bold</b>\n" * 200
    write(one, text)
    saved(one)
    press(one, "Share")
    link = until(one, "document.querySelector('.judge-notice input')?.value")
    assert len(link) < 400
    write(one, "# my own\n")
    saved(one)
    until(one, "!document.querySelector('#judge').page.draft.isUnsaved")
    one.close()
    two.goto(link)
    assert "carries a submission" in until(two, NOTICE)
    assert two.evaluate(TEXT) == "# my own\n"
    press(two, "Open it")
    until(two, f"{TEXT}.length === {len(text)}")
    assert "#" not in two.url.split("/")[-1]
