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

# What single templates need besides.
EXTRA: dict[str, dict[str, list[str]]] = {}


def policy_of(template: str) -> str:
    """The policy's text for a page of this template."""
    extra = EXTRA.get(template, {})
    return "; ".join(f"{name} {' '.join([*sources, *extra.get(name, [])])}" for name, sources in BASE.items())
