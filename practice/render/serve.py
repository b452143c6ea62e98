"""Shows the site on this machine and builds it again when a source changes."""

import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NO_WORKER = b"""self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.registration.unregister()));
"""
"""Served in the place of the service worker: pages kept offline would hide what was just changed. A worker that another server left at
this address is replaced by it and goes too; a 404 would leave it in charge, and an error in every page's console."""

WATCHED = ("chapters", "exercises", "site", "practice/render", "practice/chapters", "practice/sim")


class Handler(SimpleHTTPRequestHandler):
    """Static files, never cached, with the site's own page for what is not there."""

    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".ipynb": "application/x-ipynb+json",
    }

    def do_GET(self) -> None:
        if not self.path.split("?")[0].endswith("/sw.js"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(NO_WORKER)))
        self.end_headers()
        self.wfile.write(NO_WORKER)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not worth a line each."""


class Server(ThreadingHTTPServer):
    """A server that says nothing when a browser leaves before it has everything."""

    def handle_error(self, request, client_address) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def make_server(out: Path, host: str, port: int) -> ThreadingHTTPServer:
    """A server of the folder `out`, which may be swapped for another while it runs. Raises OSError when the port is taken."""
    return Server((host, port), partial(Handler, directory=str(out)))


def watch(root: Path, rebuild: Callable[[], None], stop: threading.Event, every: float = 0.4) -> None:
    """Calls rebuild after each change of a source until stop is set."""
    seen = state(root)
    while not stop.wait(every):
        now = state(root)
        if now != seen:
            seen = now
            rebuild()


def state(root: Path) -> dict[str, float]:
    """Time of the last change of each source file, by path."""
    found = {}
    for name in WATCHED:
        for folder, folders, files in os.walk(root / name):
            folders[:] = [inner for inner in folders if not inner.startswith((".", "__"))]
            for file in files:
                if not file.startswith("."):
                    path = os.path.join(folder, file)
                    try:
                        found[path] = os.stat(path).st_mtime
                    except FileNotFoundError:
                        found[path] = time.time()
    return found
