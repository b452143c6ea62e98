"""Reading: questions on the page, hints in order, copying, the table of contents, the list's filters, search."""

import math
import re

import pytest

pytestmark = pytest.mark.browser


def test_estimate_is_compared_with_the_computed_value(page, address):
    page.goto(address + "chapters/shop.html")
    field, verdict = page.get_by_label("Your estimate"), page.locator("#question-1 .verdict")
    field.fill("many")
    page.get_by_role("button", name="Commit").click()
    assert verdict.inner_text() == "Type a number, such as 16.8 or 1.5k."
    field.fill("0.02k")
    field.press("Enter")
    assert verdict.inner_text() == "Your estimate is 2.86 times too high, not within a factor of two."
    assert page.locator("#question-1 .computed").inner_text() == "7 instances"
    field.fill("5")
    field.press("Enter")
    assert verdict.inner_text() == "Your estimate is 1.40 times too low, within a factor of two."


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,500", 1500), ("~16.8", 16.8), ("1.5k", 1500), ("3 million", 3e6), ("$320", 320), ("1e-3", 0.001), ("none", None), ("70 ms", 70)],
)
def test_numbers_are_read_as_people_type_them(page, address, text, number):
    page.goto(address + "about.html")
    read = page.evaluate("text => readNumber(text)", text)
    assert (None if math.isnan(read) else read) == (pytest.approx(number) if number is not None else None)


def test_hints_open_one_after_the_other(page, address):
    page.goto(address + "exercises/101-double.html")
    page.get_by_text("Hint 2 of 3").click(force=True)
    assert not page.get_by_text("Add twice.").is_visible()
    page.get_by_text("Hint 1 of 3").focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("Add.", exact=True).is_visible()
    page.get_by_text("Hint 2 of 3").click()
    assert page.get_by_text("Add twice.").is_visible()


def test_starter_is_copied_as_it_is(context, address):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + "exercises/101-double.html")
    page.locator(".starter .copy").click()
    page.get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.rstrip() == 'def double(x: int) -> int:\n    """The double of x."""\n    raise NotImplementedError'


def test_contents_mark_the_place_and_previous_and_next_lead_round(page, address):
    page.goto(address + "chapters/tools.html#pictures")
    page.locator(".toc a.here[href='#pictures']").wait_for()
    page.get_by_role("link", name="Next A chat service for a shop").click()
    page.get_by_role("link", name="Previous The tools").click()
    assert page.url.endswith("/chapters/tools.html")


def test_contents_open_on_a_phone(page, address):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address + "chapters/tools.html")
    link = page.locator(".toc").get_by_role("link", name="Pictures")
    assert not link.is_visible()
    page.get_by_role("button", name="On this page", expanded=False).click()
    link.click()
    assert page.url.endswith("#pictures") and page.get_by_role("button", name="On this page", expanded=True).count() == 1


def test_notebook_is_offered_for_download(page, address):
    page.goto(address + "chapters/tools.html")
    with page.expect_download() as download:
        page.get_by_role("link", name="Notebook").click()
    assert download.value.suggested_filename == "tools.ipynb"


def test_filters_come_from_the_address_and_go_back_to_it(page, address):
    page.goto(address + "exercises/index.html?level=hard")
    assert page.locator(".card:visible").all_inner_texts()[0].startswith("102")
    assert page.locator("#found").inner_text() == "1 exercise"
    page.get_by_label("Level").select_option("")
    page.get_by_label("Words or number").fill("double")
    page.wait_for_url("**/exercises/index.html?q=double")
    assert page.locator(".card:visible").count() == 1
    assert not page.get_by_role("heading", name="Scheduling").is_visible()
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("heading", name="Scheduling").wait_for()
    page.wait_for_url("**/exercises/index.html")


def test_search_finds_sections_exercises_and_terms(page, address):
    asked = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    page.goto(address + "index.html")
    assert not any(name.startswith("search") for name in asked)
    page.keyboard.press("/")
    page.keyboard.type("headroom")
    page.keyboard.press("Enter")
    page.get_by_text("places").wait_for()
    links = [link.get_attribute("href") for link in page.locator("#results a").all()]
    assert "chapters/shop.html#rubric" in links and "chapters/shop.html#follow-ups" in links
    page.get_by_label("Words").fill("gooodput")
    page.get_by_role("link", name="Goodput").wait_for()
    page.get_by_label("Words").fill("triple")
    page.get_by_role("link", name="The triple").click()
    assert page.url.endswith("exercises/102-triple.html")
    page.goto(address + "search.html?q=zebra")
    page.get_by_text("Nothing for “zebra”.").wait_for()


def test_python_and_minisearch_build_the_same_index(page, address, site):
    from practice.render.search import count_words, to_index

    texts = [
        "Prefill is bound by compute, decode by bandwidth.",
        "The KV cache grows; KV bytes per token: 163,840.",
        "A knee (P99) at 16.8 req/s",
    ]
    documents = [{"url": str(i), "title": f"Part {i}", "page": "p", "kind": "chapter", "text": text} for i, text in enumerate(texts)]
    page.goto(address + "search.html")
    page.add_script_tag(url=address + next(site.rglob("minisearch.js")).relative_to(site).as_posix())
    ours, theirs = page.evaluate(
        """([documents, ours]) => {
            const options = { fields: ["title", "text"], storeFields: ["url"] };
            const made = new MiniSearch(options);
            made.addAll(documents.map((document, id) => ({ ...document, id })));
            const loaded = MiniSearch.loadJSON(ours, options);
            const look = (engine) => ["kv", "knee p99", "band", "part bound"].map((words) => engine.search(words, { prefix: true }).map((hit) => [hit.id, +hit.score.toFixed(6)]));
            return [look(loaded), look(made)];
        }""",
        [documents, to_index([count_words(document) for document in documents])],
    )
    assert ours == theirs and any(ours)


def test_every_action_of_a_page_is_reached_by_keyboard(page, address):
    page.goto(address + "index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.textContent.trim().replace(/\\s+/g, ' ').slice(0, 20) || document.activeElement.name")
        )
    for words in ("Inference practice", "Glossary", "q", "All chapters", "roadmap"):
        assert words in reached
    assert any(re.match("1 ?The tools", words) for words in reached)
