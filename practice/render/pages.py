"""The list of pages: which there are, from which template, with which values."""

import hashlib
import json
import re
from pathlib import Path

from practice.catalog.topic import LEVELS, TOPICS
from practice.render.gather import Content
from practice.render.page import Page

TOPIC_TITLES = {
    "kv-cache": "KV cache and memory",
    "prefix-cache": "Prefix caching and routing",
    "scheduling": "Scheduling and batching",
    "sampling": "Sampling and decoding",
    "speculative": "Speculative decoding",
    "attention": "Attention in numpy",
    "parallelism": "Parallelism and communication",
    "moe": "Mixture of experts",
    "disaggregation": "PD disaggregation",
    "rate-limiting": "Rate limiting and fairness",
    "lora": "LoRA and tenants",
    "rl-rollout": "RL rollout",
    "design": "Design exercises",
}
LENGTHS = (30, 45)


def topic_title(slug: str) -> str:
    return TOPIC_TITLES.get(slug, slug.replace("-", " ").capitalize())


def all_pages(content: Content, site_folder: Path) -> list[Page]:
    """Every HTML page of the site."""
    chapters, exercises = content.chapters, content.exercises
    designs = [chapter for chapter in chapters if chapter["kind"] == "design"]
    pages = [
        keyed(
            "index.html",
            "home.html",
            "",
            content.settings.get("description", ""),
            {"chapters": briefs(chapters), "designs": briefs(designs), "count": len(exercises)},
        ),
        keyed(
            "chapters/index.html",
            "chapters.html",
            "Chapters",
            "The method, the numbers and the worked designs, in reading order.",
            {"chapters": briefs(chapters)},
            "chapters",
        ),
        keyed(
            "exercises/index.html",
            "exercises.html",
            "Exercises",
            "Every exercise, by topic, level and time.",
            exercise_list(content),
            "exercises",
        ),
        keyed(
            "interview/index.html",
            "interviews.html",
            "Mock interview",
            "Pick a worked design or draw one, and sit the interview against the clock.",
            {"designs": briefs(designs), "lengths": LENGTHS},
            "interview",
        ),
        keyed(
            "roadmap.html", "roadmap.html", "Roadmap", "A path for the time you have and the role you want.", roadmap(content), "roadmap"
        ),
        Page(
            "glossary.html",
            "glossary.html",
            "Glossary",
            "The field's terms, each in a few sentences.",
            {"terms": content.glossary["terms"]},
            content.glossary.get("key", ""),
            "glossary",
        ),
        keyed(
            "about.html",
            "about.html",
            "About",
            "What this is, how it is made and what it can promise.",
            {"chapters": len(chapters), "exercises": len(exercises)},
            "about",
        ),
        keyed("search.html", "search.html", "Search", "Search the chapters, exercises and terms.", {}, "search"),
        keyed("404.html", "404.html", "Not found", "There is no such page.", {}, listed=False),
        keyed("offline.html", "offline.html", "Offline", "There is no connection, and this page was not visited yet.", {}, listed=False),
    ]
    pages += topic_pages(content)
    pages += [exercise_page(exercise, content) for exercise in exercises]
    for index, chapter in enumerate(chapters):
        pages.append(
            chapter_page(
                chapter, chapters[index - 1] if index else None, chapters[index + 1] if index + 1 < len(chapters) else None, content
            )
        )
    for design in designs:
        pages += design_pages(design)
    pages += own_pages(site_folder, content)
    return pages


def keyed(path: str, template: str, title: str, description: str, values: dict, section: str = "", listed: bool = True) -> Page:
    """A page whose values are small enough to be its key."""
    return Page(path, template, title, description, values, digest(values), section, listed)


def digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=list).encode()).hexdigest()


def brief(chapter: dict) -> dict:
    kept = ("title", "slug", "order", "kind", "summary", "minutes", "phases")
    counts = {"exercises": len(chapter["exercises"]), "follow_ups": len(chapter["follow_ups"])}
    return {key: chapter[key] for key in kept} | counts | {"opening": opening(chapter)}


def opening(chapter: dict) -> str:
    """What the summary says before its first colon: the task without its answer, for those who are about to work it out."""
    return chapter["summary"].partition(": ")[0].rstrip(".") + "."


def briefs(chapters) -> list[dict]:
    return [brief(chapter) for chapter in chapters]


def card(exercise: dict) -> dict:
    kept = ("number", "id", "title", "topic", "level", "minutes", "summary")
    return {key: exercise[key] for key in kept} | {"topic_title": topic_title(exercise["topic"])}


def exercise_list(content: Content) -> dict:
    used = {exercise["topic"] for exercise in content.exercises}
    groups = [
        {"slug": slug, "title": topic_title(slug), "exercises": [card(e) for e in content.exercises if e["topic"] == slug]}
        for slug in TOPICS
        if slug in used
    ]
    return {"groups": groups, "levels": LEVELS, "count": len(content.exercises)}


def topic_pages(content: Content) -> list[Page]:
    """One page per topic that has exercises: its numbers, its exercises, the chapters that teach it."""
    pages = []
    for group in exercise_list(content)["groups"]:
        numbers = TOPICS[group["slug"]]
        own = {exercise["number"] for exercise in group["exercises"]}
        taught = briefs(c for c in content.chapters if own & set(c["exercises"]))
        values = group | {"first": numbers.start, "last": numbers.stop - 1, "chapters": taught}
        title = f"{group['title']}: exercises {numbers.start} to {numbers.stop - 1}"
        pages.append(
            keyed(f"topics/{group['slug']}.html", "topic.html", title, f"{len(own)} exercises on {group['title']}.", values, "exercises")
        )
    return pages


def exercise_page(exercise: dict, content: Content) -> Page:
    numbers = {e["number"]: e for e in content.exercises}
    taught = next((brief(c) for c in content.chapters if c["slug"] == exercise["chapter"]), None)
    others = briefs(c for c in content.chapters if exercise["number"] in c["exercises"] and c["slug"] != exercise["chapter"])
    following = content.following.get(exercise["number"])
    around = {
        "needs": [card(numbers[n]) for n in exercise["needs"] if n in numbers],
        "following": card(numbers[following]) if following in numbers else None,
        "chapters": ([taught] if taught else []) + others,
        "topic_title": topic_title(exercise["topic"]),
    }
    key = digest(exercise.get("key", ""), around)
    title = f"{exercise['number']}. {exercise['title']}"
    return Page(
        f"exercises/{exercise['id']}.html", "exercise.html", title, exercise["summary"], {"exercise": exercise, **around}, key, "exercises"
    )


def chapter_page(chapter: dict, before: dict | None, after: dict | None, content: Content) -> Page:
    numbers = {e["number"]: e for e in content.exercises}
    named = [numbers[n] for n in chapter["exercises"] if n in numbers]
    belonging = [e for e in content.exercises if e["chapter"] == chapter["slug"] and e not in named]
    around = {
        "before": brief(before) if before else None,
        "after": brief(after) if after else None,
        "exercises": [card(exercise) for exercise in [*named, *belonging]],
    }
    key = digest(chapter.get("key", ""), around)
    return Page(
        f"chapters/{chapter['slug']}.html",
        "chapter.html",
        chapter["title"],
        chapter["summary"],
        {"chapter": chapter, **around},
        key,
        "chapters",
    )


def design_pages(chapter: dict) -> list[Page]:
    """The walkthrough, its notes window and the mock interview of a worked design."""
    slug, key = chapter["slug"], chapter.get("key", "")
    values = {
        "chapter": chapter,
        "opening": opening(chapter),
        "steps": walkthrough_steps(chapter),
        "prompt": prompt_of(chapter),
        "answers": answers_of(chapter),
        "lengths": LENGTHS,
    }
    titled = chapter["title"]
    return [
        Page(f"walkthrough/{slug}.html", "walkthrough.html", f"Walkthrough: {titled}", chapter["summary"], values, key, "chapters"),
        Page(f"walkthrough/{slug}-notes.html", "notes.html", f"Notes: {titled}", chapter["summary"], values, key, "chapters", listed=False),
        Page(f"interview/{slug}.html", "interview.html", f"Mock interview: {titled}", chapter["summary"], values, key, "interview"),
    ]


def prompt_of(chapter: dict) -> str:
    """HTML of the section Requirements."""
    section = next((s for s in chapter["sections"] if s["title"] == "Requirements"), None)
    return "".join(part["html"] for part in section["parts"] if part["kind"] == "text") if section else ""


def answers_of(chapter: dict) -> str:
    """HTML of the tables of the first phase: the questions worth asking, with their answers."""
    first = next((s for s in chapter["sections"] if chapter["phases"] and s["title"] == chapter["phases"][0]["title"]), None)
    html = "".join(part["html"] for part in first["parts"] if part["kind"] == "text") if first else ""
    return "".join(re.findall(r'<div class="table">.*?</div>', html, re.DOTALL))


def walkthrough_steps(chapter: dict) -> list[dict]:
    """Requirements, then one step per phase: [{title, anchor, minutes, parts, notes}]."""
    sections = {section["title"]: section for section in chapter["sections"]}
    phases = [{"title": "Requirements", "minutes": 0}, *chapter["phases"]]
    steps = []
    for phase in phases:
        section = sections.get(phase["title"])
        if section:
            parts = [part for part in section["parts"] if part["kind"] != "notes"]
            notes = [part["html"] for part in section["parts"] if part["kind"] == "notes"]
            steps.append({**phase, "anchor": section["anchor"], "parts": parts, "notes": notes})
    return steps


def roadmap(content: Content) -> dict:
    """The goals with each step's chapters and exercises looked up; what does not exist yet is left out."""
    chapters = {c["slug"]: brief(c) for c in content.chapters}
    exercises = {e["number"]: card(e) for e in content.exercises}
    goals = []
    for goal in content.roadmap.get("goal", ()):
        steps = []
        for step in goal["steps"]:
            read = [chapters[slug] for slug in step.get("chapters", ()) if slug in chapters]
            solve = [exercises[number] for number in step.get("exercises", ()) if number in exercises]
            steps.append({"title": step["title"], "text": step.get("text", ""), "chapters": read, "exercises": solve})
        goals.append(
            {
                **{key: goal[key] for key in ("slug", "title", "text")},
                "steps": [s for s in steps if s["chapters"] or s["exercises"] or s["text"]],
            }
        )
    return {"goals": goals}


def own_pages(site_folder: Path, content: Content) -> list[Page]:
    """site/pages/*.html: pages that are a template of their own, with a title and description in their first lines.

    The first line is `{# title | description | menu entry #}`. They get `exercises`, a list of cards, and
    `chapters`, a brief of each by its slug.
    """
    pages = []
    for path in sorted((site_folder / "pages").glob("*.html")):
        words = [word.strip() for word in path.read_text(encoding="utf-8").split("\n", 1)[0].strip("{#} ").split("|")]
        title, description, section = (words + ["", "", ""])[:3]
        values = {
            "exercises": [card(exercise) for exercise in content.exercises],
            "chapters": {chapter["slug"]: brief(chapter) for chapter in content.chapters},
        }
        pages.append(keyed(path.name, f"pages/{path.name}", title, description, values, section))
    return pages
