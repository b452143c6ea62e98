"""The packages a command may import, and which of them this Python lacks. Looks, but imports nothing."""

from collections.abc import Mapping
from importlib.util import find_spec

PACKAGES = {
    "click": "click",
    "rich": "rich",
    "numpy": "numpy",
    "jinja2": "jinja2",
    "markdown-it-py": "markdown_it",
    "mdit-py-plugins": "mdit_py_plugins",
    "pygments": "pygments",
    "latex2mathml": "latex2mathml",
    "brotli": "brotli",
}
"""Distribution to module, as requirements.txt pins them."""

TEST_PACKAGES = {
    "pytest": "pytest",
    "pytest-xdist": "xdist",
    "hypothesis": "hypothesis",
    "playwright": "playwright",
    "axe-playwright-python": "axe_playwright_python",
    "html5lib": "html5lib",
    "ruff": "ruff",
}
"""Distribution to module, as requirements-test.txt pins them."""


def missing(packages: Mapping[str, str]) -> list[str]:
    """The distributions whose module cannot be found. Takes about a millisecond for all of them."""
    return [name for name, module in packages.items() if find_spec(module) is None]
