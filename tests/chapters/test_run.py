"""Running blocks in a child, keeping results by content, and comparing what is printed."""

import json
from pathlib import Path

from practice.chapters.compare import check_outputs, same_output, updated
from practice.chapters.read import parse_chapter
from practice.chapters.run import run_chapter

ROOT = Path(__file__).resolve().parents[2]
FRONT = '+++\ntitle = "T"\nslug = "t"\norder = 1\nkind = "guide"\nsummary = "S"\nminutes = 5\nexercises = []\nseconds = {}\n+++\n'


def run(text, cache=None, seconds=20, root=ROOT):
    findings = []
    whole = FRONT.format(seconds) + text
    chapter = parse_chapter(whole, "chapters/01-t.md", findings)
    return chapter, run_chapter(chapter, root, cache, findings), findings, whole


def test_blocks_share_names_and_values_use_the_names_of_their_place():
    text = (
        "```python\nx = 2\n```\n\nFirst [?](=x).\n\n```python\nx += 0.5\nprint(x)\n```\n\nThen [?](=x:.2f) and [?](={'a':[x]}['a'][0]).\n"
    )
    _, result, findings, _ = run(text)
    assert findings == []
    assert result.values == ("2", "2.50", "2.5")
    assert list(result.outputs.values()) == ["", "2.5\n"]


def test_answers_use_the_names_of_the_end():
    text = '```question\nask = "n?"\nanswer = "n:,"\n```\n\n```python\nn = 1500\n```\n'
    _, result, _, _ = run(text)
    assert list(result.answers.values()) == [{"text": "1,500", "number": 1500.0}]


def test_raising_block_names_its_line_and_error():
    _, result, findings, _ = run("```python\nx = 1\n\nx / 0\n```\n")
    assert result is None
    assert findings[0].line == 14 and "ZeroDivisionError: division by zero" in findings[0].message


def test_syntax_error_and_exit_are_told_like_any_other():
    assert run("```python\nx = (\n```\n")[2][0].line in (12, 13)
    assert "SystemExit" in run("```python\nraise SystemExit(3)\n```\n")[2][0].message


def test_endless_block_is_stopped_and_named():
    _, result, findings, _ = run("```python\nx = 1\n```\n\n```python\nwhile True: pass\n```\n", seconds=0.6)
    assert result is None
    assert findings[0].line == 15 and "longer than 0.6 s" in findings[0].message


def test_a_block_that_ends_the_process_is_a_finding():
    _, result, findings, _ = run("```python\nimport os\nos._exit(3)\n```\n")
    assert result is None and "exit code 3" in findings[0].message


def test_figures_are_checked_and_kept():
    good = '<svg viewBox="0 0 1 1"><title>t</title><desc>d</desc></svg>'
    _, result, findings, _ = run(f"```python\nfigure('''{good}''', caption='c')\n```\n")
    assert findings == [] and list(result.figures.values()) == [[{"svg": good, "caption": "c"}]]
    for bad, words in (
        (good.replace("<desc>d</desc>", ""), "no <desc>"),
        (good.replace("<svg", "<svg style='x'"), "style="),
        (good.replace("</svg>", "<script/></svg>"), "<script>"),
    ):
        assert words in run(f"```python\nfigure('''{bad}''', caption='c')\n```\n")[2][0].message


def test_unknown_name_in_a_value_is_a_finding_with_its_line():
    _, result, findings, _ = run("```python\nx = 1\n```\n\nIt is [1](=y).\n")
    assert result is None and findings[0].line == 15 and "name 'y' is not defined" in findings[0].message


def test_equal_chapter_is_taken_from_the_cache_and_changed_code_is_not(tmp_path):
    (tmp_path / "chapters").mkdir()
    helper = tmp_path / "helping.py"
    helper.write_text("n = 1\n")
    counted = tmp_path / "count"
    text = f"```python\nimport helping\nopen({str(counted)!r}, 'a').write('x')\nprint(helping.n)\n```\n"

    def runs():
        _, result, findings, _ = run(text, tmp_path / "cache", root=tmp_path)
        assert findings == []
        return list(result.outputs.values()), len(counted.read_text())

    assert runs() == (["1\n"], 1)
    assert runs() == (["1\n"], 1)
    helper.write_text("n = 22\n")
    assert runs() == (["22\n"], 2)
    (tmp_path / "cache" / "t.json").write_text("{broken")
    assert runs() == (["22\n"], 3)
    assert json.loads((tmp_path / "cache" / "t.json").read_text())["imported"].keys() == {"helping.py"}


def test_numbers_may_differ_in_the_last_place_and_words_may_not():
    assert same_output("a 0.30000000000000004\n", "a 0.3  ")
    assert not same_output("a 0.301", "a 0.3")
    assert not same_output("a 1", "b 1")
    assert not same_output("1 2", "1")


def test_differences_are_findings_with_a_diff_and_update_mends_them():
    text = "```python\nx = 3\nprint('x', x)\n```\n\n```output\nx 2\n```\n\nIt is [2](=x), [3](=x).\n\n```python\nprint(7)\n```\n"
    chapter, result, findings, whole = run(text)
    check_outputs(chapter, result, findings)
    told = "\n".join(map(str, sorted(findings)))
    assert [f.line for f in sorted(findings)] == [16, 20, 22]
    assert "-x 2" in told and "+x 3" in told and "says '2', but x gives '3'" in told and "--update" in told
    new = updated(chapter, result, whole)
    assert "```output\nx 3\n```" in new and "It is [3](=x), [3](=x)." in new and new.endswith("print(7)\n```\n\n```output\n7\n```\n")
    again = []
    mended = parse_chapter(new, "chapters/01-t.md", again)
    check_outputs(mended, run_chapter(mended, ROOT, None, again), again)
    assert again == []


def test_update_takes_away_the_output_of_a_block_that_is_silent():
    chapter, result, _, whole = run("```python\nx = 3\n```\n\n```output\nold\n```\n\nAfter.\n")
    assert updated(chapter, result, whole).endswith("```python\nx = 3\n```\n\nAfter.\n")
