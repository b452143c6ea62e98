"""The glossary: terms in order, and what is wrong in it."""

from pathlib import Path

from practice.chapters.glossary import read_glossary

ROOT = Path(__file__).resolve().parents[2]


def test_the_projects_own_glossary_is_whole():
    findings = []
    terms = read_glossary(ROOT / "chapters" / "glossary.toml", ROOT, findings)
    assert findings == []
    assert len(terms) >= 80
    assert [t.term.lower() for t in terms] == sorted(t.term.lower() for t in terms)


def test_missing_words_and_dead_references_are_told_with_their_lines(tmp_path):
    path = tmp_path / "glossary.toml"
    path.write_text('[slo]\nterm = "SLO"\n\n[knee]\nterm = "Knee"\nmeans = "x"\nsee = ["nothing"]\n')
    findings = []
    assert [t.slug for t in read_glossary(path, tmp_path, findings)] == ["knee"]
    assert [(f.line, f.message) for f in findings] == [
        (1, "`slo` needs `term` and `means`, both text in quotes"),
        (4, "`knee` points to `nothing`, which is no term of the glossary"),
    ]
