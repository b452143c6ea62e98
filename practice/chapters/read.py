"""A chapter's file to a Chapter, with everything that is wrong in it."""

import re
import tomllib
from pathlib import Path

from practice.chapters.chapter import Block, Chapter, Heading, Question
from practice.chapters.finding import Finding
from practice.chapters.front import read_front
from practice.chapters.scan import Fence, find_fences, find_headings, find_values, prose_lines

QUESTION_KEYS = {"ask", "unit", "answer", "why"}
FLAGS = {"folded", "norun"}


def read_text(path: Path, file: str, findings: list[Finding]) -> str | None:
    """The file's text, or None with a finding where it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        findings.append(Finding(file, line, f"byte {error.start} is not UTF-8", "save the file as UTF-8"))
        return None


def read_chapter(path: Path, root: Path, findings: list[Finding]) -> Chapter | None:
    """The chapter in `path`, or None when it is too broken to be one; what is wrong is added to findings."""
    file = path.relative_to(root).as_posix()
    text = read_text(path, file, findings)
    return parse_chapter(text, file, findings) if text is not None else None


def parse_chapter(text: str, file: str, findings: list[Finding]) -> Chapter | None:
    front = read_front(text, file, findings)
    if front is None:
        return None
    fields, body, offset = front
    fences = find_fences(body, offset)
    lines = prose_lines(body, fences, offset)
    headings = find_headings(lines)
    blocks = read_blocks(fences, body, offset, file, findings)
    questions = [q for fence in fences if fence.language == "question" for q in read_question(fence, file, findings)]
    check_fences(fences, file, findings)
    check_headings(headings, file, findings)
    chapter = Chapter(
        file=file,
        text=body,
        offset=offset,
        headings=tuple(headings),
        blocks=tuple(blocks),
        values=tuple(find_values(lines)),
        questions=tuple(questions),
        **fields,
    )
    check_name(chapter, findings)
    check_phases(chapter, findings)
    return chapter


def read_blocks(fences: list[Fence], body: str, offset: int, file: str, findings: list[Finding]) -> list[Block]:
    """The `python` blocks that run, each with the `output` block under it."""
    lines = body.split("\n")
    blocks: list[Block] = []
    taken = set()
    for fence, following in zip(fences, [*fences[1:], None], strict=False):
        if not runs(fence):
            continue
        output = None
        if following and following.language == "output":
            between = lines[fence.end - offset : following.line - offset - 1]
            if not any(line.strip() for line in between):
                output = following
                taken.add(following.line)
        span = (output.line, output.end) if output else None
        blocks.append(Block(fence.line, fence.end, fence.body, output.body if output else None, span))
    for fence in fences:
        if fence.language == "output" and fence.line not in taken:
            findings.append(
                Finding(file, fence.line, "an `output` block without a `python` block right above it", "move it under its block")
            )
    return blocks


def runs(fence: Fence) -> bool:
    return fence.language == "python" and "norun" not in fence.flags


def read_question(fence: Fence, file: str, findings: list[Finding]) -> list[Question]:
    """The question in a fence: one, or none with a finding."""
    try:
        found = tomllib.loads(fence.body)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        where = fence.line + (int(line.group(1)) if line else 0)
        findings.append(Finding(file, where, f"this question is not TOML: {error}", 'write lines such as `ask = "How many?"`'))
        return []
    for key in sorted(set(found) - QUESTION_KEYS):
        findings.append(Finding(file, fence.line, f"a question has no `{key}`; it has ask, unit, answer, why"))
    if not found.get("ask"):
        findings.append(Finding(file, fence.line, "this question has no `ask`", 'add `ask = "..."`'))
        return []
    if found.get("unit") and not found.get("answer"):
        findings.append(Finding(file, fence.line, "this question has a `unit` and no `answer`", "name the variable that holds the answer"))
    texts = {key: str(value) for key, value in found.items() if key in QUESTION_KEYS}
    return [Question(fence.line, **texts)]


def check_fences(fences: list[Fence], file: str, findings: list[Finding]) -> None:
    for fence in fences:
        if not fence.closed:
            findings.append(Finding(file, fence.line, "this block is never closed", "end it with a line of three backquotes"))
        for flag in fence.flags if fence.language == "python" else ():
            if flag not in FLAGS:
                findings.append(Finding(file, fence.line, f"a python block cannot be `{flag}`; it can be folded or norun"))


def check_headings(headings: list[Heading], file: str, findings: list[Finding]) -> None:
    first: dict[str, int] = {}
    for heading in headings:
        if heading.level == 1:
            findings.append(Finding(file, heading.line, "a `#` heading, but the title comes from the front matter", "use `##`"))
        if heading.anchor in first:
            message = f"the anchor #{heading.anchor} is already that of line {first[heading.anchor]}"
            findings.append(Finding(file, heading.line, message, "give the two headings different words"))
        first.setdefault(heading.anchor, heading.line)


def check_name(chapter: Chapter, findings: list[Finding]) -> None:
    match = re.match(r"(\d+)-[a-z0-9-]+\.md$", Path(chapter.file).name)
    if not match or int(match.group(1)) != chapter.order:
        message = f"the file's name and `order = {chapter.order}` do not agree"
        findings.append(Finding(chapter.file, 0, message, f"name it {chapter.order:02d}-{chapter.slug}.md"))


def check_phases(chapter: Chapter, findings: list[Finding]) -> None:
    """A design has its sections, and each phase is one of them."""
    sections = {heading.text for heading in chapter.headings if heading.level == 2}
    for phase in chapter.phases:
        if phase.title not in sections:
            near = ", ".join(sorted(sections)) or "none"
            findings.append(Finding(chapter.file, 0, f'the phase "{phase.title}" has no `##` heading; there are: {near}'))
    if chapter.kind != "design":
        return
    for needed in ("Requirements", "Follow-ups", "Rubric"):
        if needed not in sections:
            findings.append(Finding(chapter.file, 0, f"a design needs the section `## {needed}`", "see docs/chapters.md, Designs"))
    if not chapter.phases:
        findings.append(Finding(chapter.file, 0, "a design needs `[phases]` in its front matter", "see docs/chapters.md, Front matter"))
