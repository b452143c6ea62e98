from practice.audit.audit import audit
from practice.audit.mutant import mutants
from practice.catalog.new import new_exercise

SOURCE = '''
def f(a: int = 3, b=1):
    """Says 7."""
    if a < b and b != 2:
        raise ValueError(f"a is {a + 1}, below 5")
    total = max(a, 1) // 2
    return total
'''


def test_each_mutant_is_one_small_mistake_that_still_compiles():
    made = mutants(SOURCE)
    texts = {(mutant.line, mutant.what) for mutant in made}
    for expected in (
        (4, "`<` became `<=`"),
        (4, "`!=` became `==`"),
        (4, "`and` became `or`"),
        (6, "`max` became `min`"),
        (6, "`//` became `/`"),
        (6, "2 became 3"),
        (6, "2 became 1"),
        (6, "left out: total = max(a, 1) // 2"),
    ):
        assert expected in texts, (expected, texts)
    for mutant in made:
        compile(mutant.source, "mutant", "exec")
    assert len({mutant.source for mutant in made}) == len(made)


def test_words_of_errors_docstrings_and_annotations_are_left_alone():
    made = "\n".join(mutant.what for mutant in mutants(SOURCE))
    assert "5 became" not in made and "Says" not in made and "`+` became" not in made


def test_there_are_never_more_than_asked_for_and_they_cover_the_whole():
    long = "def f(x):\n" + "".join(f"    x = x + {n}\n" for n in range(100)) + "    return x\n"
    made = mutants(long, 20)
    assert len(made) == 20
    assert made[-1].line > 90


def test_a_mutant_that_no_check_notices_is_a_suggestion(tmp_path):
    folder = new_exercise(tmp_path, 180, "kv-blocks")
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_text(path.read_text("utf-8").replace("TODO ", ""), "utf-8")
    solution = folder / "solution.py"
    solution.write_text(solution.read_text().replace("    # Whole", "    if tokens > 10**9:\n        tokens = 10**9\n    # Whole"))
    report = audit(tmp_path, [folder], with_mutants=True, workers=1)
    assert report.faults == []
    said = [finding.message for finding in report.suggestions]
    assert "no check notices this change of line 6: `>` became `>=`" in said
    assert not any("`-` became" in text for text in said), "the checks notice a change of the rounding"
