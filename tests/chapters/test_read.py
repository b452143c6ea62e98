"""Reading a chapter: what it is, and everything that is wrong with it at once."""

from practice.chapters.read import parse_chapter, read_text

FRONT = '+++\ntitle = "T"\nslug = "t"\norder = 1\nkind = "guide"\nsummary = "S"\nminutes = 5\nexercises = []\n+++\n'


def read(text, file="chapters/01-t.md"):
    findings = []
    return parse_chapter(text, file, findings), findings


def test_block_knows_its_lines_and_its_output():
    chapter, findings = read(FRONT + "## A\n\n```python\nprint(1)\n```\n\n```output\n1\n```\n")
    assert findings == []
    (block,) = chapter.blocks
    assert (block.line, block.end, block.source, block.output, block.output_lines) == (12, 14, "print(1)\n", "1\n", (16, 18))


def test_text_between_block_and_output_parts_them():
    chapter, findings = read(FRONT + "```python\nprint(1)\n```\n\nIt says\n\n```output\n1\n```\n")
    assert chapter.blocks[0].output is None
    assert [(f.line, f.message) for f in findings] == [(16, "an `output` block without a `python` block right above it")]


def test_norun_blocks_and_other_languages_do_not_run():
    chapter, _ = read(FRONT + "```python norun\nx\n```\n\n```bash\nls\n```\n\n```python folded\ny = 1\n```\n")
    assert [block.source for block in chapter.blocks] == ["y = 1\n"]


def test_values_are_found_with_nested_parentheses_and_not_in_code():
    chapter, _ = read(FRONT + "At [16.8](=f(a[0]):.1f) and [2](=n), `[3](=m)`.\n\n```text\n[4](=k)\n```\n")
    assert [(v.text, v.expression) for v in chapter.values] == [("16.8", "f(a[0]):.1f"), ("2", "n")]


def test_every_wrong_field_of_the_front_matter_is_told_at_once():
    text = '+++\ntitle = 3\nslug = "Not Good"\norder = 1\nkind = "essay"\nminutes = true\nexercises = ["x"]\ncolour = "red"\n+++\n'
    chapter, findings = read(text)
    assert chapter is None
    told = " | ".join(map(str, findings))
    for words in (
        "`title` is 3",
        '`slug` is "Not Good"',
        "guide or design",
        "no `summary`",
        "`minutes` is True",
        "list of whole numbers",
        "no `colour`",
    ):
        assert words in told
    assert {f.line for f in findings} == {1, 2, 3, 5, 6, 7, 8}


def test_broken_toml_names_its_line():
    _, findings = read('+++\ntitle = "T"\nslug = \norder = 1\n+++\n')
    assert findings[0].line == 3 and "not TOML" in findings[0].message


def test_front_matter_must_be_there_and_be_closed():
    assert "first line must be `+++`" in read("# Hello\n")[1][0].message
    assert "never closed" in read("+++\ntitle = 1\n")[1][0].message


def test_bytes_that_are_not_utf8_name_the_line(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"one\ntwo \xff\n")
    findings = []
    assert read_text(path, "a.md", findings) is None
    assert (findings[0].line, "not UTF-8" in findings[0].message) == (2, True)


def test_two_equal_anchors_and_a_title_heading_are_findings():
    _, findings = read(FRONT + "# Top\n\n## Same words\n\n## Same *words*\n")
    assert [f.line for f in findings] == [10, 14]
    assert "already that of line 12" in findings[1].message


def test_unclosed_block_and_unknown_flag_are_findings():
    _, findings = read(FRONT + "```python hidden\nx = 1\n```\n\n```python\ny\n")
    assert "cannot be `hidden`" in findings[0].message and "never closed" in findings[1].message


def test_question_is_read_and_its_mistakes_are_told():
    good, findings = read(FRONT + '```question\nask = "How?"\nunit = "s"\nanswer = "x:.1f"\n```\n')
    assert (good.questions[0].ask, good.questions[0].answer, findings) == ("How?", "x:.1f", [])
    _, findings = read(FRONT + '```question\nask "How?"\n```\n\n```question\nask = "a"\nunit = "s"\nreply = "x"\n```\n')
    assert "not TOML" in findings[0].message
    assert "no `reply`" in findings[1].message and "no `answer`" in findings[2].message


def test_design_without_its_sections_is_told_what_is_missing():
    front = (
        FRONT.replace('"guide"', '"design"')
        .replace("+++\n", '[phases]\n"Fleet" = 5\n+++\n')
        .replace('[phases]\n"Fleet" = 5\n+++', "+++", 1)
    )
    _, findings = read(front + "## Clarify\n")
    told = " ".join(f.message for f in findings)
    for words in ('phase "Fleet"', "`## Requirements`", "`## Follow-ups`", "`## Rubric`"):
        assert words in told


def test_file_name_and_order_must_agree():
    assert "do not agree" in read(FRONT, "chapters/02-t.md")[1][0].message
