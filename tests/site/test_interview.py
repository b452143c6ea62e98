"""The mock interview: phases against the clock, follow-ups one by one, self-scoring, scorecard and history."""

import pytest

pytestmark = pytest.mark.browser


def start(page, address, minutes=45):
    page.goto(address + "interview/shop.html")
    page.get_by_label(f"{minutes} minutes").check()
    page.get_by_role("button", name="Begin").click()


def test_phases_scale_with_the_length_and_show_the_requirements_only(page, address):
    page.goto(address + "interview/shop.html")
    assert page.locator(".phase-time").all_inner_texts() == ["5:00", "20:00", "20:00"]
    page.get_by_label("30 minutes").check()
    assert page.locator(".phase-time").all_inner_texts() == ["3:20", "13:20", "13:20"]
    page.get_by_role("button", name="Begin").click()
    assert page.get_by_role("heading", name="Clarify").is_visible()
    assert page.get_by_text("We want a chat for our shop.").is_visible()
    assert page.get_by_text("of 3:20").is_visible() and page.get_by_text("of 30:00").is_visible()
    assert "We need 7 instances" not in page.content()


def test_task_is_shown_without_its_answer(page, address):
    for path in ("interview/index.html", "interview/shop.html"):
        page.goto(address + path)
        words = page.locator("main").inner_text()
        assert "nobody may wait longer than a second." in words and "seven instances" not in words
    assert page.get_by_role("button", name="Begin").bounding_box()["y"] < 800


def test_interviewers_answers_open_when_they_are_asked_for(page, address):
    start(page, address)
    assert not page.get_by_text("It is, on Mondays").is_visible()
    page.get_by_text("What the interviewer answers").click()
    assert page.get_by_text("It is, on Mondays").is_visible()


def test_whole_interview_ends_in_a_scorecard_that_a_reload_and_the_history_keep(page, address):
    start(page, address)
    notes = page.get_by_label("Your notes for this phase")
    notes.fill("Which percentile?")
    page.reload()
    assert notes.input_value() == "Which percentile?"
    page.get_by_role("button", name="Next phase").click()
    assert notes.input_value() == ""
    page.get_by_role("button", name="Back").click()
    assert notes.input_value() == "Which percentile?"
    for _ in range(2):
        page.get_by_role("button", name="Next phase").click()
    page.get_by_role("button", name="To the follow-ups").click()
    assert page.locator(".follow:visible").count() == 1
    page.get_by_label("Your answer").first.fill("Ten times as many.")
    page.get_by_role("button", name="Next question").click()
    assert page.locator(".follow:visible").count() == 2
    page.reload()
    assert page.locator(".follow:visible").count() == 2
    page.get_by_role("button", name="Score myself").click()
    page.get_by_text("What a strong answer contains").first.click()
    assert page.get_by_text("both percentiles too").is_visible()
    for point, score in ((0, 2), (1, 1), (5, 2)):
        page.locator(f"[name=score-{point}][value='{score}']").check()
    page.get_by_role("button", name="Finish").click()
    assert page.locator("#view-card .lead").inner_text() == "5 of 12 with 3 points not scored"
    card = page.locator("#sheet").inner_text()
    for words in (
        "45 minutes, score 5 of 12",
        "- 2: Asks for lengths",
        "- not scored: Adds headroom",
        "### Clarify\n\nWhich percentile?",
        "### What if traffic grows tenfold?\n\nTen times as many.",
    ):
        assert words in card
    page.goto(address + "interview/index.html")
    row = page.locator("#history tbody tr")
    assert "5 of 12" in row.inner_text() and "45 min" in row.inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Scorecard of").click()
    assert download.value.suggested_filename.startswith("interview-shop-2")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete the").click()
    assert page.get_by_text("None yet.").is_visible()


def test_time_over_is_shown_and_a_pause_stops_it(page, address):
    page.clock.install()
    start(page, address)
    page.clock.run_for(6 * 60_000)
    assert "over" in page.locator("#clock-section").get_attribute("class")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(10 * 60_000)
    assert page.locator("#clock-total strong").inner_text().startswith("6:")


def test_drawing_opens_a_design(page, address):
    page.goto(address + "interview/index.html")
    page.get_by_role("button", name="Draw one for me").click()
    page.wait_for_url("**/interview/shop.html")
