"""The project's own chapters, exercises and roadmap name each other rightly."""

import re
import tomllib

from practice.catalog.find import Catalog
from practice.catalog.topic import topic_of
from practice.chapters.read import read_chapter
from practice.render.gather import chapter_files


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
