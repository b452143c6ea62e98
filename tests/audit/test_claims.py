"""One cause is told once."""

from practice.audit.audit import audit
from practice.catalog.new import new_exercise


def findings(folder):
    report = audit(folder.parents[1], [folder], workers=1)
    return [f"{f.file} [{f.key}] {f.message}" for f in report.faults if "is still to be written" not in f.message]


def test_a_check_that_fails_with_every_seed_is_told_once_for_each_way_of_judging(tmp_path):
    folder = new_exercise(tmp_path, 180, "kv-blocks", "Blocks of a request")
    checks = folder / "checks.py"
    checks.write_text(checks.read_text("utf-8").replace("sub.blocks_needed(tokens, size)", "sub.blocks(tokens, size)"), "utf-8")
    found = findings(folder)
    assert [line.split(" is not accepted")[0] for line in found] == ["solution.py [check_random]"] * 2, found
    assert "(seed 1)" in found[0] and "browser" in found[1]


def test_an_entry_that_nothing_defines_is_not_told_of_every_known_wrong_file(tmp_path):
    folder = new_exercise(tmp_path, 180, "kv-blocks", "Blocks of a request")
    toml = folder / "exercise.toml"
    toml.write_text(toml.read_text("utf-8").replace('entry = ["blocks_needed"]', 'entry = ["blocks"]'), "utf-8")
    found = findings(folder)
    assert not any(line.startswith(("wrong/", "checks.py")) for line in found), found
    assert sum(line.startswith("starter.py []") for line in found) == 1
    assert any("your file defines no function `blocks`" in line for line in found)
