"""The development server: fresh files, the site's own page for what is missing, a rebuild on change."""

import threading
import urllib.error
import urllib.request

import pytest

from practice.render.serve import make_server, state, watch


@pytest.fixture
def address(tmp_path):
    (tmp_path / "index.html").write_text("home")
    (tmp_path / "404.html").write_text("not here")
    server = make_server(tmp_path, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_pages_are_served_fresh_and_missing_ones_get_the_404_page(address, tmp_path):
    with urllib.request.urlopen(address) as answer:
        assert (answer.read(), answer.headers["Cache-Control"]) == (b"home", "no-store")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(address + "a/b.html")
    assert (caught.value.code, caught.value.read()) == (404, b"not here")
    caught.value.close()


def test_a_service_worker_only_takes_itself_away(address, tmp_path):
    (tmp_path / "sw.js").write_text("caches.open('pages')")
    with urllib.request.urlopen(address + "sw.js") as answer:
        body = answer.read()
    assert b"unregister" in body and b"caches" not in body


def test_a_changed_source_is_noticed(tmp_path):
    (tmp_path / "chapters").mkdir()
    path = tmp_path / "chapters" / "a.md"
    path.write_text("1")
    built, stop = threading.Event(), threading.Event()
    thread = threading.Thread(target=watch, args=(tmp_path, built.set, stop, 0.01), daemon=True)
    thread.start()
    # The first write may come before the watcher has looked for the first time.
    for number in range(100):
        (tmp_path / "chapters" / f"b{number % 2}.md").write_text("2" * number)
        if built.wait(0.05):
            break
    stop.set()
    thread.join(5)
    assert built.is_set()
    path.unlink()
    assert str(tmp_path / "chapters" / "b0.md") in state(tmp_path) and str(path) not in state(tmp_path)
