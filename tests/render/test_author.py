"""The author's quick loop: one chapter checked or updated from the shell."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from practice.cli.build import command
from practice.kernel.errors import NotFound
from practice.render.author import find_chapter

HERE = Path(__file__).resolve()
ROOT, CHECKOUT = HERE.parents[2], HERE.parents[1] / "site" / "checkout"


@pytest.fixture
def build(tmp_path):
    shutil.copytree(CHECKOUT, tmp_path / "co")
    (tmp_path / "co" / "site").symlink_to(ROOT / "site")
    return lambda *words: CliRunner().invoke(command, [*words, "--root", str(tmp_path / "co")])


def test_only_looks_at_one_chapter_and_writes_no_site(build, tmp_path):
    (tmp_path / "co" / "chapters" / "01-tools.md").write_text("broken")
    shown = build("--only", "02")
    assert (shown.exit_code, shown.stdout) == (0, "chapters/02-shop.md: 298 words, 2 blocks, 1 numbers in the prose\n")
    assert not (tmp_path / "co" / "out").exists()


def test_update_rewrites_and_then_is_content(build, tmp_path):
    path = tmp_path / "co" / "chapters" / "02-shop.md"
    whole = path.read_text()
    path.write_text(whole.replace("7 instances\n```", "70 instances\n```").replace("[7](=instances)", "[70](=instances)"))
    failed = build("--only", "shop")
    assert failed.exit_code == 1 and "--only 02 --update" in failed.stderr
    assert build("--only", "shop", "--update").stdout.endswith(", rewritten\n")
    assert path.read_text() == whole
    assert build("--only", "chapters/02-shop.md").exit_code == 0


def test_build_says_what_it_did(build):
    first = build("--without-python").stdout.split(": ")[1]
    second = build("--without-python", "--url", "http://localhost:8000/").stdout.split(": ")[1]
    count = first.split(" pages")[0]
    assert first.startswith(f"{count} pages, {count} rendered") and second.startswith(f"{count} pages, 0 rendered")


def test_unknown_chapter_gets_the_list():
    files = [Path("01-tools.md"), Path("02-shop.md")]
    assert find_chapter(files, "1") == files[0] == find_chapter(files, "tools")
    with pytest.raises(NotFound, match="no chapter '3'"):
        find_chapter(files, "3")
