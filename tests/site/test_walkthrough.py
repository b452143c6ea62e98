"""The walkthrough: reveals, estimates, clocks, the notes window, scores, the summary; a reload loses nothing."""

import re

import pytest

pytestmark = pytest.mark.browser


def go(page, times, key="ArrowRight"):
    for _ in range(times):
        page.keyboard.press(key)


def heading(page):
    return page.locator(".step:visible > h2").inner_text()


def go_to(page, title):
    """Presses on until the part with this title is shown; a part that is longer than the screen takes several presses."""
    for _ in range(30):
        if heading(page) == title:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"{title} did not come; the walkthrough is at {heading(page)}")


def test_answer_is_hidden_until_it_is_revealed(page, address):
    page.goto(address + "walkthrough/shop.html")
    assert heading(page) == "Before you begin"
    go(page, 3)
    assert heading(page) == "Estimate"
    assert page.get_by_text("How many instances carry").is_visible()
    assert not page.get_by_text("We need 7 instances.").is_visible() and not page.get_by_text("Would you rather").is_visible()
    page.get_by_label("Estimate of The room in instances").fill("20")
    go(page, 1, "PageDown")
    assert page.get_by_text("We need 7 instances.").is_visible() and page.get_by_text("Would you rather").is_visible()
    assert page.locator(".guesses .badge:visible").inner_text() == "2.86 times too high, not within a factor of two"
    assert not page.get_by_text("At 70 % we need more.").is_visible()
    page.keyboard.press("PageUp")
    assert not page.get_by_text("We need 7 instances.").is_visible()


@pytest.mark.parametrize("key", ["ArrowRight", "PageDown"])
def test_question_is_on_the_screen_before_it_can_be_revealed(page, address, key):
    page.set_viewport_size({"width": 900, "height": 330})
    page.goto(address + "walkthrough/shop.html")
    page.get_by_role("link", name="Estimate").click()
    on, question = page.locator("#on"), page.locator(".step:visible .stop").first
    assert on.inner_text() == "More"
    presses = 0
    while on.inner_text() == "More":
        page.keyboard.press(key)
        presses += 1
        assert presses < 20 and not page.get_by_text("We need 7 instances.").is_visible()
    box = question.bounding_box()
    assert on.inner_text() == "Reveal" and box["y"] + box["height"] <= page.locator(".controls").bounding_box()["y"] + 4
    page.keyboard.press(key)
    assert page.get_by_text("We need 7 instances.").is_visible()


def test_walkthrough_begins_without_giving_the_answer_away(page, address):
    page.goto(address + "walkthrough/shop.html")
    welcome = page.locator(".step:visible").inner_text()
    assert "nobody may wait longer than a second." in welcome and "seven instances" not in welcome


def test_estimate_that_is_no_number_is_said_to_be_none(page, address):
    page.goto(address + "walkthrough/shop.html")
    page.get_by_role("link", name="Estimate").click()
    page.get_by_label("Estimate of The room in instances").fill("a few")
    page.get_by_role("button", name="Reveal").click()
    assert page.locator(".guesses .result").first.inner_text() == "not a number"


def test_arrows_in_a_field_do_not_turn_the_page(page, address):
    page.goto(address + "walkthrough/shop.html")
    go(page, 3)
    field = page.get_by_label("Estimate of The room in instances")
    field.fill("20")
    field.press("ArrowLeft")
    assert heading(page) == "Estimate" and field.input_value() == "20"


def test_people_scores_and_summary_survive_a_reload(context, address):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + "walkthrough/shop.html")
    page.get_by_label("Who is here").fill("Ada, Bo | b, Ada")
    page.get_by_role("button", name="Set").click()
    page.get_by_role("button", name="Start the clock").click()
    page.wait_for_timeout(1100)
    page.get_by_role("link", name="Estimate").click()
    page.get_by_label("Estimate of Ada in instances").fill("7")
    page.get_by_label("Estimate of Bo | b in instances").fill("10")
    page.get_by_role("button", name="Reveal").click()
    page.reload()
    assert heading(page) == "Estimate"
    assert page.get_by_label("Estimate of Bo | b in instances").input_value() == "10"
    assert page.locator(".guesses .badge:visible").all_inner_texts() == ["on the spot", "1.43 times too high, within a factor of two"]
    assert page.get_by_role("button", name="Pause").is_visible()
    go_to(page, "Rubric")
    page.locator("[name=score-0-0][value='2']").check()
    page.locator("[name=score-1-0][value='1']").check()
    page.locator("[name=score-0-1][value='1']").check()
    page.reload()
    assert page.locator("[name=score-0-0][value='2']").is_checked()
    go_to(page, "Summary")
    page.get_by_role("button", name="Copy as Markdown").click()
    page.get_by_text("Copied.").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert (
        "- How many instances carry fifty requests a second? Computed: 7 instances\n  - Ada: 7, on the spot\n  - Bo | b: 10, 1.43 times"
        in text
    )
    assert "| point | Ada | Bo \\| b |" in text and "| **total of 12** | 3 | 1 |" in text
    assert re.search(r"\| Welcome \| 0:0[1-9] \|", text)


def test_starting_over_forgets_everything(page, address):
    page.goto(address + "walkthrough/shop.html")
    page.get_by_label("Who is here").fill("Ada")
    page.get_by_role("button", name="Set").click()
    go_to(page, "Summary")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start over").click()
    assert heading(page) == "Before you begin"
    page.reload()
    assert page.get_by_label("Who is here").input_value() == ""


def test_notes_window_is_kept_in_step_and_can_lead(context, address):
    page = context.new_page()
    page.goto(address + "walkthrough/shop.html")
    with context.expect_page() as opened:
        page.get_by_role("button", name="Notes window").click()
    notes = opened.value
    notes.get_by_text("The walkthrough is at: Welcome.").wait_for()
    go(page, 2)
    notes.get_by_text("Let two people speak").wait_for()
    notes.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Estimate").wait_for()
    notes.get_by_text("Computed: 7 instances").wait_for()
    page.keyboard.press("t")
    notes.locator("#clock-total strong", has_not_text="0:00").wait_for()
    assert "of 45:00" in notes.locator("#clock-total").inner_text()


def test_clock_warns_when_a_part_runs_over(page, address):
    page.clock.install()
    page.goto(address + "walkthrough/shop.html")
    go(page, 2)
    page.keyboard.press("t")
    page.clock.run_for(4 * 60_000 + 500)
    assert page.locator("#clock-section").inner_text().split() == ["this", "part", "4:00", "of", "5:00"]
    page.clock.run_for(2 * 60_000)
    assert "over" in page.locator("#clock-section").get_attribute("class")
