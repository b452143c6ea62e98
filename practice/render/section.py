"""A chapter's tokens to sections of HTML pieces: what the page, the walkthrough and the mock interview are made of."""

import re

from practice.chapters.chapter import Chapter
from practice.chapters.run import Run
from practice.chapters.scan import anchor_of, plain
from practice.render.markdown import Source, parse, render, render_text


def to_sections(chapter: Chapter, run: Run, source: Source) -> list[dict]:
    """Sections in order: [{title, anchor, parts}]; the first has no title if there is text before the first `##`.

    A part is {"kind": "text", html} or {"kind": "question", ...} or {"kind": "notes", html}.
    """
    tokens = parse(source)
    sections = [{"title": "", "anchor": "", "heading": "", "parts": []}]
    start = 0
    for index, token in enumerate([*tokens, None]):
        special = special_fence(token)
        heading = token is not None and token.type == "heading_open" and token.tag == "h2"
        if token is not None and not special and not heading:
            continue
        if index > start:
            sections[-1]["parts"].append({"kind": "text", "html": render(tokens[start:index], source)})
        start = index
        if heading:
            inline = tokens[index + 1]
            html = render([inline], source)
            sections.append({"title": plain(inline.content), "anchor": token.attrGet("id"), "heading": html, "parts": []})
            start = index + 3
        elif special:
            sections[-1]["parts"].append(special_part(special, token, chapter, run, source))
            start = index + 1
    return [section for section in sections if section["title"] or section["parts"]]


def special_fence(token) -> str:
    """question or notes, or "" for anything else."""
    language = token.info.split()[0] if token is not None and token.type == "fence" and token.info.strip() else ""
    return language if language in ("question", "notes") else ""


def special_part(kind: str, token, chapter: Chapter, run: Run, source: Source) -> dict:
    line = source.line_of(token)
    if kind == "notes":
        return {"kind": "notes", "html": fragment(token.content, line, source)}
    question = source.questions.get(line)
    if question is None:  # it was not TOML; the reader has said so
        return {"kind": "text", "html": ""}
    answer = run.answers.get(line, {"text": "", "number": None})
    return {
        "kind": "question",
        "id": f"question-{[q.line for q in chapter.questions].index(line) + 1}",
        "ask": fragment(question.ask, line, source, inline=True),
        "unit": question.unit,
        "answer": answer["text"],
        "number": answer["number"],
        "why": fragment(question.why, line, source) if question.why else "",
    }


def fragment(text: str, line: int, source: Source, inline: bool = False) -> str:
    """HTML of a piece of Markdown that lies inside a block; its links and findings go to the source."""
    part = Source(source.file, text, line, source.folder, source.findings, links=source.links)
    html = render_text(part).strip()
    one = re.fullmatch(r"<p>(.*)</p>", html, re.DOTALL)
    return one.group(1) if inline and one and "<p>" not in one.group(1) else html


def follow_ups(sections: list[dict]) -> list[dict]:
    """[{ask, html}] of the section Follow-ups: a question per `###`, the answer under it."""
    html = section_html(sections, "Follow-ups")
    pieces = re.split(r"<h3[^>]*>(.*?)</h3>", html, flags=re.DOTALL)
    return [{"ask": ask, "html": answer.strip()} for ask, answer in zip(pieces[1::2], pieces[2::2], strict=True)]


def rubric(sections: list[dict]) -> list[dict]:
    """[{point, html}] of the section Rubric: bold is the point, the rest what a strong answer holds."""
    items = re.findall(r"<li>(.*?)</li>", section_html(sections, "Rubric"), re.DOTALL)
    points = []
    for item in items:
        found = re.match(r"\s*(?:<p>)?<strong>(.*?)</strong>(.*)", item, re.DOTALL)
        if found:
            rest = re.sub(r"</?p>", "", found.group(2)).strip()
            points.append({"point": found.group(1).strip().rstrip("."), "html": rest})
    return points


def section_html(sections: list[dict], title: str) -> str:
    section = next((s for s in sections if s["title"] == title), None)
    return "".join(part["html"] for part in section["parts"] if part["kind"] == "text") if section else ""


def contents(chapter: Chapter) -> list[dict]:
    """The table of contents: [{title, anchor, parts: [{title, anchor}]}] of `##` and `###` headings."""
    entries: list[dict] = []
    for heading in chapter.headings:
        entry = {"title": heading.text, "anchor": anchor_of(heading.text), "parts": []}
        if heading.level == 2:
            entries.append(entry)
        elif heading.level == 3 and entries and entries[-1]["title"] != "Follow-ups":
            entries[-1]["parts"].append(entry)
    return entries


def to_text(html: str) -> str:
    """The words of a piece of HTML, for the search index and descriptions."""
    html = re.sub(r"<svg.*?</svg>|<math.*?</math>", " ", html, flags=re.DOTALL)
    text = re.sub(r"</?(?:em|strong|code|a|span|s|mi|mo|mn)\b[^>]*>", "", html)
    text = re.sub(r"<[^>]+>", " ", text)
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&")):
        text = text.replace(entity, letter)
    return " ".join(text.split())
