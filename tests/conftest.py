"""What all tests share: the checkout's root, and the option that rewrites golden files."""

import asyncio
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
