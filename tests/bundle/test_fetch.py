"""Files of others: each from the first place that answers, verified, and a plain word when none does."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from practice.bundle.fetch import Fetcher
from practice.bundle.source import Source
from practice.kernel.errors import PracticeError

DATA = b"the right bytes"
GOOD = hashlib.sha256(DATA).hexdigest()


class Handler(BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(DATA if self.path == "/good" else b"other bytes")

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Handler.asked.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_file_is_fetched_once_and_kept(tmp_path, address):
    source, said = Source("a.bin", GOOD, address=f"{address}/good"), []
    fetcher = Fetcher(tmp_path, said.append)
    assert fetcher.path(source).read_bytes() == DATA and fetcher.path(source).read_bytes() == DATA
    assert Handler.asked == ["/good"] and len(said) == 1


def test_other_bytes_are_refused_and_not_kept(tmp_path, address):
    with pytest.raises(PracticeError) as caught:
        Fetcher(tmp_path).path(Source("a.bin", GOOD, address=f"{address}/bad"))
    assert "a.bin could not be had" in caught.value.message and "gave other bytes" in caught.value.message
    assert not list(tmp_path.rglob("a.bin"))


def test_a_damaged_file_of_the_cache_is_fetched_again(tmp_path, address):
    source = Source("a.bin", GOOD, address=f"{address}/good")
    Fetcher(tmp_path).path(source).write_bytes(b"damaged")
    assert Fetcher(tmp_path).path(source).read_bytes() == DATA


def test_a_file_put_in_place_by_hand_needs_no_network(tmp_path):
    source = Source("a.bin", GOOD, address="http://127.0.0.1:9/")
    with pytest.raises(PracticeError) as caught:
        Fetcher(tmp_path).path(source)
    place = tmp_path / GOOD[:16] / "a.bin"
    assert str(place) in caught.value.hint and "127.0.0.1:9" in caught.value.message
    place.parent.mkdir()
    place.write_bytes(DATA)
    assert Fetcher(tmp_path).path(source) == place
