"""A chapter as a notebook: its cells run in order and give what the chapter says."""

import contextlib
import io
import json
from pathlib import Path

from practice.chapters.notebook import to_notebook
from practice.chapters.read import read_chapter
from practice.chapters.run import run_chapter

ROOT = Path(__file__).resolve().parents[1] / "site" / "checkout"


def notebook(name):
    findings = []
    chapter = read_chapter(ROOT / "chapters" / name, ROOT, findings)
    book = json.loads(to_notebook(chapter, run_chapter(chapter, ROOT, None, findings)))
    assert findings == []
    return book


def test_code_cells_run_in_order_and_print_their_stored_output():
    names = {}
    for cell in notebook("02-shop.md")["cells"]:
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec("".join(cell["source"]), names)
            assert printed.getvalue() == "".join("".join(out["text"]) for out in cell["outputs"])
    assert names["instances"] == 7


def test_prose_has_plain_numbers_and_neither_outputs_nor_notes():
    text = "\n".join("".join(cell["source"]) for cell in notebook("02-shop.md")["cells"] if cell["cell_type"] == "markdown")
    assert "We need 7 instances." in text and "(=" not in text
    assert "Let two people speak" not in text and "```output" not in text
    assert "**Commit first.** How many instances" in text
    ids = [cell["id"] for cell in notebook("01-tools.md")["cells"]]
    assert len(ids) == len(set(ids))
