"""axe finds nothing on the pages that run Python, in both colour schemes and at a phone's width; nothing scrolls sideways."""

import pytest

from .conftest import open_exercise, submit, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def violations(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    # The editor's scrolling box holds the editor itself, which takes the focus and scrolls with the cursor.
    nodes = [(one["id"], node["html"][:160]) for one in found for node in one["nodes"] if "cm-scroller" not in node["html"]]
    return [f"{rule}: {html}" for rule, html in nodes]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_pages_with_python_have_no_violation_and_fit(context, server, scheme, width):
    page = context.new_page()
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    open_exercise(page, server)
    submit(page, "def plan(*args, **more):\n    print('x')\n    return {}\n")
    pages = [(None, None), ("lab", "Number(document.querySelector('#lab')?.dataset.drawn) > 0")]
    pages += [("playground", "document.querySelector('#play')?.hasAttribute('data-ready')"), ("progress", "document.querySelector('#progress')?.hasAttribute('data-ready')")]
    found = []
    for name, ready in pages:
        if name:
            page.goto(f"{server.address}{name}.html")
            until(page, ready)
        found += [f"{name}: {one}" for one in violations(page)]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert not found, "\n".join(found)
