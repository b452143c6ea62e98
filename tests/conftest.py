"""What all tests share: the checkout's root, the browser, and the option that rewrites golden files."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser):
    parser.addoption("--update-goldens", action="store_true", help="rewrite golden files; review the change as a diff")


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT


@pytest.fixture
def golden(request):
    """Compares a text with tests/<part>/golden/<name>, or rewrites that file with --update-goldens."""

    def compare(name, text):
        path = request.path.parent / "golden" / name
        if request.config.getoption("--update-goldens"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.exists(), f"no golden file {path.name}; make it with pytest --update-goldens"
        assert text == path.read_text("utf-8")

    return compare


@pytest.fixture(scope="session")
def chromium():
    """One headless Chromium for all browser tests of a process: Playwright cannot be started twice in a thread."""
    playwright = pytest.importorskip("playwright.sync_api")
    found = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=found, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def own_thread(request):
    """Playwright leaves its event loop running in the thread that all tests of a process share; only a browser's test may see it."""
    loop = asyncio._get_running_loop()
    if loop is None or request.node.get_closest_marker("browser"):
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)
