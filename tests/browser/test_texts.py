"""Texts that come by a link, and what the playground keeps of the reader's own."""

import zlib
from base64 import urlsafe_b64encode

import pytest

from .conftest import open_exercise, press, until, write
from .test_storage import NOTICE, TEXT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CODE = "document.querySelector('#play').page.editor.text"
READY = "document.querySelector('#play')?.hasAttribute('data-ready')"
CUT = urlsafe_b64encode(zlib.compress("".join(f"print({i * i})\n" for i in range(99)).encode(), wbits=-15)[:-20]).decode().rstrip("=")
LINE = "document.querySelector('.page-note')?.innerText"


def open_playground(page, server, fragment=""):
    page.goto(f"{server.address}playground.html{fragment}")
    until(page, READY)


def put(page, text):
    page.evaluate("text => document.querySelector('#play').page.editor.replace(text)", text)


def fragment_of(page, text):
    """What a link to the text ends with."""
    put(page, text)
    press(page, "Share")
    link = until(page, "document.querySelector('.judge-notice input')?.value")
    press(page, "Close")
    return "#" + link.partition("#")[2]


@pytest.mark.parametrize(("button", "stays"), [("Open it", "print('theirs')\n"), ("Keep mine", "print('mine')\n")])
def test_a_link_to_the_playground_asks_before_it_replaces_code(page, server, button, stays):
    open_playground(page, server)
    fragment = fragment_of(page, "print('theirs')\n")
    put(page, "print('mine')\n")
    page.evaluate("document.querySelector('#play').page.texts.draft.save()")
    page.goto("about:blank")
    open_playground(page, server, fragment)
    assert "carries a program" in until(page, NOTICE)
    assert page.evaluate(CODE) == "print('mine')\n"
    press(page, button)
    until(page, f"{CODE} === {stays!r} && location.hash === ''")
    if button == "Open it":
        press(page, "Earlier texts")
        page.click(".earlier button >> nth=0")
        until(page, f"{CODE} === \"print('mine')\\n\"")


def test_the_untouched_example_gives_way_to_a_link_at_once(page, server):
    open_playground(page, server)
    example = page.evaluate(CODE)
    fragment = fragment_of(page, "print('theirs')\n")
    put(page, example)
    page.evaluate("document.querySelector('#play').page.texts.draft.save()")
    page.evaluate("fragment => { location.hash = fragment; }", fragment)  # as when a link is pasted into the open tab's address
    until(page, f"{CODE} === \"print('theirs')\\n\"")
    press(page, "Earlier texts")
    assert "before a shared one" not in page.inner_text(".play-earlier")
    press(page, "Start over")
    until(page, f"{CODE} === {example!r}")
    press(page, "Earlier texts")
    page.click(".earlier button >> nth=0")
    until(page, f"{CODE} === \"print('theirs')\\n\"")


@pytest.mark.parametrize("damaged", ["#text=AAAA", "#text=", "#text=not%20base64", f"#text={CUT}"])
def test_a_damaged_link_is_told_and_leaves_the_address(page, server, damaged):
    open_exercise(page, server, fragment=damaged)
    assert "damaged or cut short" in page.inner_text(".page-note")
    assert page.evaluate("document.querySelector('.judge-notice').hidden && location.hash === ''")
    assert page.evaluate(f"{TEXT} === document.querySelector('#judge').page.exercise.starter")


def test_a_link_of_more_than_can_be_read_is_not_made(page, server):
    open_playground(page, server)
    put(page, "x" * 200_001)
    press(page, "Share")
    assert "200,001 characters, and a link carries up to 200,000" in until(page, NOTICE)
    assert page.locator(".judge-notice input").count() == 0
    too_long = page.evaluate("""async () => {
      const packed = new Blob(["x".repeat(200_001)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const letters = Array.from(new Uint8Array(await new Response(packed).arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
      return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    }""")
    page.evaluate("letters => { location.hash = 'text=' + letters; }", too_long)
    assert "has more than 200,000 characters" in until(page, LINE)
    assert page.evaluate("location.hash") == ""


def test_an_exercise_s_buttons_say_why_they_cannot(page, server):
    open_exercise(page, server)
    write(page, "x" * 200_001)
    press(page, "Share")
    assert "200,001 characters, and a link carries up to 200,000" in until(page, NOTICE)


def test_a_link_that_is_opened_in_the_same_tab_is_offered(page, server):
    open_exercise(page, server)
    write(page, "# theirs\n")
    press(page, "Share")
    link = until(page, "document.querySelector('.judge-notice input')?.value")
    write(page, "# mine\n")
    page.goto(link)
    assert "carries a submission" in until(page, f"{NOTICE}.includes('carries') && {NOTICE}")
    press(page, "Open it")
    until(page, f"{TEXT} === '# theirs\\n'")
