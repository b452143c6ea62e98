"""What the progress page says of an export it is given, and how it counts."""

import json

import pytest

from .conftest import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAID = "document.querySelector('#progress [role=status]').textContent"
EVENT = {"id": "a", "at": 1_796_000_000, "kind": "attempt", "number": 184, "data": {"status": "accepted", "passed": 9, "total": 9}}


@pytest.fixture
def progress(page, server):
    page.goto(f"{server.address}progress.html")
    until(page, "document.querySelector('#progress')?.hasAttribute('data-ready')")
    return page


def give(page, text, seconds=60):
    """What the page says after it was given a file."""
    page.evaluate("() => { document.querySelector('#progress [role=status]').textContent = ''; }")
    page.set_input_files("#progress-file", {"name": "p.json", "mimeType": "application/json", "buffer": text.encode()})
    return until(page, f"{SAID} !== 'Reading the file' && {SAID}", seconds)


@pytest.mark.parametrize(
    ("export", "words"),
    [
        ({"format": 1, "events": [EVENT, None]}, "event 2 of 2 is null, but it must be an object with id, at, kind, number, data"),
        ({"format": 1, "events": ["x" * 99]}, 'event 1 of 1 is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., but'),
        ({"events": []}, 'does not say its "format"; this version reads 1'),
        ({"format": "1", "events": []}, 'format is "1", but this version reads 1'),
        ([], 'it must be an object with "format" and "events", but it is []'),
        ({"format": 1, "events": [{**EVENT, "at": "noon"}]}, '`at` of event 1 of 1 is "noon", but it must be a number of seconds since 1970'),
        ({"format": 1, "events": [{"id": "a", "at": 1}]}, "`kind` of event 1 of 1 is missing, but it must be text"),
        ({"format": 1, "events": [{**EVENT, "data": None}]}, "`data` of event 1 of 1 is null, but it must be an object"),
    ],
)
def test_an_export_that_cannot_be_read_is_told_with_what_was_found(progress, export, words):
    assert words in give(progress, json.dumps(export))
    assert progress.locator("#progress table").count() == 0


def test_a_hundred_thousand_events_are_read_in_seconds(progress):
    events = [{**EVENT, "id": f"{i:032x}", "at": 1_700_000_000 + i, "kind": "start"} for i in range(100_000)]
    text = json.dumps({"format": 1, "events": [*events, events[0]]})
    progress.evaluate("""() => {
      globalThis.saidAt = [];
      new MutationObserver(() => saidAt.push(performance.now())).observe(document.querySelector('#progress [role=status]'), { childList: true });
    }""")
    assert give(progress, text) == "100000 events added."
    began, ended = progress.evaluate("saidAt.slice(-2)")  # reading, done
    assert ended - began < 5000, f"{(ended - began) / 1000:.1f} s"  # 0.5 s; a row for each takes ten times as long
    assert give(progress, text) == "0 events added."


def test_an_exercise_is_counted_once(progress):
    events = [EVENT, {**EVENT, "id": "b", "number": 180, "data": {"status": "wrong answer", "passed": 1, "total": 5}}, {**EVENT, "id": "c", "number": 200, "kind": "start"}]
    give(progress, json.dumps({"format": 1, "events": events}))
    until(progress, "document.querySelector('#progress table')")
    assert "1 of 10 exercises solved, 2 more tried." in progress.inner_text("#progress")


def test_the_list_of_exercises_shows_what_was_solved_and_tried(progress, server):
    events = [EVENT, {**EVENT, "id": "b", "number": 180, "data": {"status": "wrong answer", "passed": 1, "total": 5}}, {**EVENT, "id": "c", "number": 200, "kind": "start"}]
    give(progress, json.dumps({"format": 1, "events": events}))
    progress.goto(f"{server.address}exercises/")
    until(progress, "'marked' in document.documentElement.dataset")
    marks = "Object.fromEntries([...document.querySelectorAll('.card-mark')].map((mark) => [mark.closest('.card').querySelector('.number').textContent, mark.textContent]))"
    assert progress.evaluate(marks) == {"180": "tried", "184": "solved", "200": "started"}
