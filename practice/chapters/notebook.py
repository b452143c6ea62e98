"""A chapter as a Jupyter notebook that runs against an installed checkout."""

import json

from practice.chapters.chapter import Chapter
from practice.chapters.run import Run
from practice.chapters.scan import find_fences

SETUP = """# Run this notebook from the checkout's root, with the project installed: pip install -e .
from practice.chapters.figures import figure
"""
LEFT_OUT = {"output", "notes", "diagram"}


def to_notebook(chapter: Chapter, run: Run) -> str:
    """JSON of the notebook: prose and blocks in order, outputs as they were computed."""
    lines = with_values(chapter, run)
    blocks = {block.line: block for block in chapter.blocks}
    cells = [markdown_cell(f"# {chapter.title}\n\n{chapter.summary}"), code_cell(SETUP, "")]
    at = 0
    prose: list[str] = []
    for fence in find_fences(chapter.text, chapter.offset):
        prose += lines[at : fence.line - chapter.offset - 1]
        at = fence.end - chapter.offset
        if fence.line in blocks:
            cells += [markdown_cell("\n".join(prose)), code_cell(fence.body, run.outputs.get(fence.line, ""))]
            prose = []
        elif fence.language == "question":
            question = next((q for q in chapter.questions if q.line == fence.line), None)
            prose += [f"> **Commit first.** {question.ask}"] if question else []
        elif fence.language not in LEFT_OUT:
            prose += lines[fence.line - chapter.offset - 1 : at]
    cells.append(markdown_cell("\n".join(prose + lines[at:])))
    kept = [cell | {"id": f"cell-{index}"} for index, cell in enumerate(cells) if "".join(cell["source"]).strip()]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": kept, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def with_values(chapter: Chapter, run: Run) -> list[str]:
    """Lines of the chapter's text with each computed number as plain text."""
    lines = chapter.text.split("\n")
    pairs = list(zip(chapter.values, run.values, strict=True))
    for value, text in sorted(pairs, key=lambda pair: (pair[0].line, pair[0].start), reverse=True):
        index = value.line - chapter.offset - 1
        lines[index] = lines[index][: value.start] + text + lines[index][value.end :]
    return lines


def markdown_cell(text: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": text.strip("\n").splitlines(keepends=True)}


def code_cell(source: str, output: str) -> dict:
    outputs = [{"output_type": "stream", "name": "stdout", "text": output.splitlines(keepends=True)}] if output else []
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "source": source.rstrip("\n").splitlines(keepends=True),
        "outputs": outputs,
    }
