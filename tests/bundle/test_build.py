"""The files the browser gets: the same bytes each time, named by their content, and only what is meant to be there."""

import hashlib
import io
import json
import re
import zipfile

import pytest

from practice.bundle import archive, build
from practice.bundle.offline import service_worker
from practice.bundle.sibling import siblings
from practice.bundle.site import part_of_site, readable
from practice.bundle.size import sizes
from practice.kernel.door import exercise_from_json
from practice.kernel.errors import PracticeError
from practice.kernel.exercise import Exercise

MOST_BROTLI, MOST_GZIP = 3.7e6, 4.9e6
PYODIDE_BROTLI, PYODIDE_GZIP = 2_472_925, 3_378_846
"""The pinned files of Pyodide 0.27.7 at the highest levels, from `judge.py bundle`: compressing them takes half a minute."""


@pytest.fixture(scope="module")
def bundle(root):
    try:
        return build.make_bundle(root, readable(root))
    except PracticeError as error:
        pytest.skip(f"no bundle here: {error.message}")


def exercise(**fields):
    return Exercise(1, "a", "A", "cost", "easy", 5, ("f",), "def check_a(sub):\n    pass\n", **fields)


def test_names_carry_the_hash_of_the_content(bundle):
    for path, data in bundle.files.items():
        assert path.rsplit(".", 2)[1] == hashlib.sha256(data).hexdigest()[:12], path


def test_the_manifest_names_every_file(bundle):
    manifest = json.loads(bundle.files[bundle.manifest])
    named = {build.PLACE + name for name in [*manifest["files"].values(), *manifest["exercises"].values()]}
    assert named | {bundle.manifest} == set(bundle.files)


def test_an_exercise_survives_the_way_to_the_browser(root):
    for one in readable(root)[:5]:
        there = exercise_from_json(json.loads(build.exercise_json(one)))
        assert (there.id, there.checks, there.solution, there.wrong, there.limits) == (one.id, one.checks, one.solution, one.wrong, one.limits)
        assert there.prompt == "" and there.after == ""


def test_an_exercise_that_needs_processes_is_not_judged_in_a_browser():
    assert not build.can_judge(exercise(requires=("processes",)), has_numpy=True)
    assert build.can_judge(exercise(requires=("sim",)), has_numpy=False)
    assert not build.can_judge(exercise(requires=("numpy",)), has_numpy=False)


def test_the_archive_holds_the_kernel_the_simulator_and_nothing_else_of_ours(root):
    found = set(archive.sources(root / "practice"))
    assert {"practice/kernel/door.py", "practice/sim/engine.py", "practice/bundle/inside/door.py", "sim.py"} <= found
    assert not [name for name in found if name.startswith(("practice/runner", "practice/cli", "practice/render"))]


def test_the_same_sources_give_the_same_zip_whatever_their_order():
    files = {"b.py": b"2", "a.py": b"1"}
    assert archive.to_zip(files) == archive.to_zip(dict(reversed(files.items())))


@pytest.mark.slow
@pytest.mark.node
def test_compiling_twice_gives_the_same_bytes(root, bundle, tmp_path, monkeypatch):
    from practice.bundle.folder import cache_folder

    real = cache_folder()
    for name in real.iterdir():
        if name.name not in ("compiled", "siblings"):
            (tmp_path / name.name).symlink_to(name)
    monkeypatch.setenv("PRACTICE_CACHE", str(tmp_path))
    again = build.make_bundle(root, readable(root))
    assert list((tmp_path / "compiled").iterdir()), "nothing was compiled anew"
    assert {path: hashlib.sha256(data).hexdigest() for path, data in again.files.items()} == {
        path: hashlib.sha256(data).hexdigest() for path, data in bundle.files.items()
    }


def test_archives_are_stored_so_that_the_transport_can_compress_them(bundle):
    for path, data in bundle.files.items():
        if data[:2] == b"PK":
            infos = zipfile.ZipFile(io.BytesIO(data)).infolist()
            assert all(info.compress_type == zipfile.ZIP_STORED and info.date_time[0] == 1980 for info in infos), path
            assert path.endswith(".wasm"), "plain hosts compress .wasm, not .zip"


@pytest.mark.slow
def test_a_first_verdict_stays_under_its_bytes(root, bundle):
    own = {path: data for path, data in bundle.files.items() if re.search(r"/(stdlib|practice|worker|manifest)\.", path)}
    own["editor.js"] = (root / "site/static/vendor/editor.js").read_bytes()
    beside = siblings(own)
    page = 40_000  # the page itself, its style sheet and modules, one exercise: 25 KB of brotli, 35 of gzip
    assert sum(len(data) for path, data in beside.items() if path.endswith(".br")) + PYODIDE_BROTLI + page < MOST_BROTLI
    assert sum(len(data) for path, data in beside.items() if path.endswith(".gz")) + PYODIDE_GZIP + page < MOST_GZIP


def test_sizes_count_a_file_without_a_sibling_as_it_is():
    files = {"py/stdlib.aa.wasm": b"x" * 3000, "py/exercises/1-a.bb.json": b"y" * 10, "py/exercises/2-b.cc.json": b"z" * 20}
    rows = {row.part: row for row in sizes(files, siblings(files))}
    assert (rows["exercises"].files, rows["exercises"].raw, rows["exercises"].br) == (2, 30, 30)
    assert rows["stdlib"].br < rows["stdlib"].gz < 100 and rows["without numpy and exercises"].raw == 3000


def test_the_committed_editor_is_the_one_its_hash_names(root):
    expected, name = (root / "site/editor/editor.sha256").read_text().split()
    assert hashlib.sha256((root / name).read_bytes()).hexdigest() == expected


def test_the_frame_lets_nothing_out(root):
    text, digest = build.frame_document(root / "site/app/judge")
    policy = re.search(r'content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src " + digest)
    assert "connect-src" not in policy and "'self'" not in policy and "unsafe-inline" not in policy and "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")


def test_the_worker_is_one_script_without_imports(root):
    script = build.worker_script(root / "site/app/judge").decode()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "startPython" in script and "onmessage" in script


def test_a_site_of_the_same_files_has_the_same_service_worker(tmp_path):
    for name, text in {"index.html": "a", "static/0123456789/site.css": "b", "py/x.0123456789ab.wasm": "c", "py/x.0123456789ab.wasm.br": "d"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    first = service_worker(tmp_path)
    assert service_worker(tmp_path) == first
    known = json.loads(re.search(rb"const BUILD = (.*);", first)[1])
    assert known["files"] == ["py/x.0123456789ab.wasm", "static/0123456789/site.css"] and list(known["pages"]) == ["index.html"]
    (tmp_path / "index.html").write_text("another")
    assert service_worker(tmp_path) != first


def test_without_pyodide_the_site_is_built_with_a_plain_word(root, tmp_path, monkeypatch):
    monkeypatch.setenv("PRACTICE_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr("practice.bundle.fetch._download", unreachable)
    part = part_of_site(root)
    assert part.manifest == "" and not part.files and not part.judged
    assert part.note.startswith("the pages have no editor, because Node 18 or newer was not found")


def unreachable(address):
    raise OSError("no network")
