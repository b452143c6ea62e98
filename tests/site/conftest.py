"""A small site, built once, served from a subfolder, and a real Chromium to look at it."""

import shutil
import threading
from pathlib import Path

import pytest

from practice.render.build import build
from practice.render.serve import make_server

HERE = Path(__file__).resolve()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site; it lies in a subfolder `sub/practice` of what is served."""
    base = tmp_path_factory.mktemp("site")
    shutil.copytree(HERE.parent / "checkout", base / "co")
    (base / "co" / "site").symlink_to(HERE.parents[2] / "site")
    (base / "www" / "sub").mkdir(parents=True)
    # The address only matters to the 404 page, whose links start at the host's root.
    build(base / "co", base / "www" / "sub" / "practice", url="http://127.0.0.1/sub/practice/")
    return base / "www" / "sub" / "practice"


@pytest.fixture(scope="session")
def address(site):
    server = make_server(site.parents[1], "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/sub/practice/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def context(chromium):
    """A fresh profile; what a page says in the console or throws fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(8000)
    wrong = []
    context.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    yield context
    context.close()
    assert wrong == []


@pytest.fixture
def page(context):
    return context.new_page()
