"""A real site of a few exercises, a server that can be switched off, and one headless Chromium."""

import contextlib
import re
import shutil
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from practice.bundle.site import part_of_site
from practice.render.build import build

EXERCISES = ("180", "181", "184", "200", "203", "300", "301", "400", "500", "720")
PATIENCE = 60
"""Seconds to wait for anything; only a hang takes that long, but a busy machine may take many."""


class Handler(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.server.is_down or any(part in self.path for part in self.server.refused):
            self.close_connection = True
            return
        if any(part in self.path for part in self.server.late):
            time.sleep(3)
        del self.headers["If-Modified-Since"]  # it counts in seconds, and a test changes a site twice in one
        with contextlib.suppress(ConnectionError):  # the page may be left before a file is whole
            super().do_GET()

    def log_message(self, *_):
        pass


class Server:
    """Serves a folder under /practice/, since a site must work from any folder of a host."""

    def __init__(self, folder):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self._server.asked, self._server.is_down = [], False
        self.refused, self.late = self._server.refused, self._server.late = set(), set()  # parts of paths
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/practice/"

    @property
    def asked(self):
        return self._server.asked

    def switch(self, on):
        self._server.is_down = not on

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def small_checkout(root, folder):
    """A checkout of a few exercises and no chapters, which builds in a second."""
    (folder / "exercises").mkdir(parents=True)
    (folder / "chapters").mkdir()
    shutil.copytree(root / "site", folder / "site", ignore=shutil.ignore_patterns("node_modules"))
    for number in EXERCISES:
        for path in (root / "exercises").glob(f"{number}-*"):
            shutil.copytree(path, folder / "exercises" / path.name)
    for path in folder.glob("exercises/*/*.md"):  # what they point to is not all here
        path.write_text(re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", path.read_text("utf-8")), "utf-8")
    return folder


@pytest.fixture(scope="session")
def checkout(root, tmp_path_factory):
    return small_checkout(root, tmp_path_factory.mktemp("checkout") / "small")


@pytest.fixture(scope="session")
def site(checkout, tmp_path_factory):
    """The built site's folder; its parent is what is served."""
    part = part_of_site(checkout)
    if not part.manifest:
        pytest.skip(f"no bundle here: {part.note}")
    out = tmp_path_factory.mktemp("served") / "practice"
    build(checkout, out, python=part)
    return out


@pytest.fixture(scope="session")
def server(site):
    server = Server(site.parent)
    yield server
    server.close()


@pytest.fixture
def context(chromium, server):
    """An empty profile. What any page prints as an error fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE * 1000)
    said = []
    context.on("console", lambda message: message.type == "error" and said.append(message.text))
    context.on("weberror", lambda error: said.append(str(error.error)))
    context.said = said
    yield context
    context.close()
    assert not said, said


@pytest.fixture
def page(context):
    return context.new_page()


def until(page, expression, seconds=PATIENCE):
    """The first true value of an expression; polled from here, because the policy forbids evaluating text in the page."""
    from playwright.sync_api import Error

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = page.evaluate(expression)
        except Error as error:
            if "context was destroyed" not in str(error):  # a navigation, which the caller waits for
                raise
            value = None
        if value:
            return value
        page.wait_for_timeout(20)
    raise AssertionError(f"not within {seconds} s: {expression}")


def open_exercise(page, server, id="184-fleet-size", fragment=""):
    page.goto(f"{server.address}exercises/{id}.html{fragment}")
    until(page, "document.querySelector('#judge')?.hasAttribute('data-ready')")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def write(page, text):
    """Puts a text into the editor as its owner would see it."""
    page.evaluate("text => document.querySelector('#judge').page.editor.replace(text)", text)


def submit(page, text):
    """The verdict panel's text and its status, of a submission."""
    write(page, text)
    page.evaluate("delete document.querySelector('.judge-verdict').dataset.status")
    press(page, "Submit")
    status = until(page, "document.querySelector('.judge-verdict').dataset.status")
    return status, page.inner_text(".judge-verdict")
