"""The project's own chapters, exercises and roadmap name each other rightly."""

import dataclasses
import re
import tomllib

from practice.catalog.find import Catalog
from practice.catalog.suggestion import following
from practice.catalog.topic import topic_of
from practice.chapters.read import read_chapter
from practice.render.gather import Content, chapter_files
from practice.render.pages import exercise_page


def read_all(root):
    findings = []
    chapters = [read_chapter(path, root, findings) for path in chapter_files(root)]
    assert findings == []
    return {chapter.slug: chapter for chapter in chapters}


def test_every_chapter_that_is_named_exists(root):
    chapters = read_all(root)
    goals = tomllib.loads((root / "site" / "roadmap.toml").read_text())["goal"]
    named = {slug for goal in goals for step in goal["steps"] for slug in step.get("chapters", ())}
    named |= {entry.chapter for entry in Catalog(root).all() if entry.chapter}
    assert named - set(chapters) == set()


def test_roadmap_names_only_numbers_that_are_or_may_become_exercises(root):
    goals = tomllib.loads((root / "site" / "roadmap.toml").read_text())["goal"]
    numbers = {number for goal in goals for step in goal["steps"] for number in step.get("exercises", ())}
    assert {number for number in numbers if not topic_of(number)} == set()
    assert len(numbers & set(Catalog(root).folders)) > len(numbers) / 2


def test_chapters_are_of_a_length_to_read_in_one_sitting(root):
    for chapter in read_all(root).values():
        words = len(re.sub(r"```.*?```", "", chapter.text, flags=re.S).split())
        assert 1000 <= words <= 5000, (chapter.file, words)


def test_every_design_has_a_question_with_a_number_and_a_picture(root):
    for chapter in read_all(root).values():
        if chapter.kind == "design":
            assert sum(bool(question.answer) for question in chapter.questions) >= 1, chapter.file
            assert "```diagram" in chapter.text and "figure(" in chapter.text, chapter.file


def test_every_exercise_page_but_at_most_one_offers_a_next_one_that_it_does_not_need(root):
    entries = Catalog(root).all()
    records = [{**dataclasses.asdict(entry), "id": entry.id, "summary": ""} for entry in entries]
    content = Content((), tuple(records), {}, {}, {}, following=following(Catalog(root)))
    offered = {record["number"]: exercise_page(record, content).values["following"] for record in records}
    assert sum(card is None for card in offered.values()) <= 1
    for entry in entries:
        card = offered[entry.number]
        assert card is None or (card["number"] not in (entry.number, *entry.needs) and entry.next in (None, card["number"]))
