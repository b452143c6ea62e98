"""The content-security policy of each page: nothing inline, nothing from elsewhere."""

BASE = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "worker-src": ["'self'"],
    "manifest-src": ["'self'"],
    "frame-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
}

WITH_PYTHON = frozenset({"exercise.html", "pages/lab.html", "pages/playground.html"})
"""Templates whose pages run Python; practice.bundle says what those need besides."""


def policy_of(template: str, python: dict[str, tuple[str, ...]]) -> str:
    """The policy's text for a page of this template. python: what a page that runs Python needs besides."""
    extra = python if template in WITH_PYTHON else {}
    return "; ".join(f"{name} {' '.join([*sources, *extra.get(name, [])])}" for name, sources in BASE.items())
