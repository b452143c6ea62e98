"""What a submission may import and read."""

import os
import sys

from practice.runner import library


def test_modules_of_import_lines_are_found_and_words_of_prose_are_not():
    text = b"'''A queue of random things.'''\nimport heapq, math as m\nfrom concurrent.futures import Future\nif True:\n\timport asyncio\n"
    assert library.named_modules(text) == ["asyncio", "concurrent.futures", "heapq", "math"]
    assert library.named_modules(b"import os, socket, torch\nimport " + b"x" * 10**6) == []


def test_the_standard_library_may_be_read_and_the_checkout_may_not(root, monkeypatch):
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path.startswith(sys.base_prefix) and "site-packages" not in path])
    paths = [os.path.realpath(path) for path in library.readable_paths((), str(root))]
    assert os.path.realpath(os.path.dirname(os.__file__)) in paths
    for secret in (root / "exercises", root / "answers", root / "tests", root / "practice" / "catalog"):
        assert not any(os.path.commonpath([path, str(secret)]) == path for path in paths)


def test_the_simulator_may_be_read_where_it_is_required(root):
    assert str(root / "practice" / "sim") in library.readable_paths(("sim",), str(root))
    assert str(root / "practice" / "sim") not in library.readable_paths((), str(root))


def test_loading_leaves_the_search_path_as_it_was(root):
    before = list(sys.path)
    library.load_required(("sim",), str(root), [str(root)])
    assert sys.path == before
