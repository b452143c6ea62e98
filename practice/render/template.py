"""Pages to HTML by the templates in site/templates."""

import hashlib
import re
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from practice.bundle.site import Part
from practice.render.assets import Assets
from practice.render.gather import Targets
from practice.render.page import Page
from practice.render.policy import BASE, WITH_PYTHON, policy_of

REFERENCE = re.compile(r'href="ref:(\w+):([^"#]*)(#[^"]*)?"')


class Templates:
    """The site's templates with everything that is the same on all pages."""

    def __init__(self, site_folder: Path, cache: Path, assets: Assets, targets: Targets, settings: dict, python: Part) -> None:
        self.folder = site_folder
        self.cache = cache
        self.assets = assets
        self.targets = targets
        self.settings = settings
        self.python = python
        self.search_index = ""
        """Path of the search index; only the search page names it, so only that one changes with every text."""

    @cached_property
    def key(self) -> str:
        """Digest of what every page depends on: templates, assets, settings, policy, this code."""
        total = hashlib.sha256(repr((self.assets.folder, sorted(self.settings.items()), BASE, sorted(WITH_PYTHON))).encode())
        files = [*self.folder.glob("templates/**/*.html"), *self.folder.glob("pages/*.html"), *Path(__file__).parent.glob("*.py")]
        for path in sorted(files):
            total.update(path.name.encode() + path.read_bytes())
        return total.hexdigest()

    @cached_property
    def environment(self):
        import jinja2

        (self.cache / "templates").mkdir(parents=True, exist_ok=True)
        environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader(
                [
                    jinja2.FileSystemLoader(self.folder / "templates"),
                    jinja2.PrefixLoader({"pages": jinja2.FileSystemLoader(self.folder / "pages")}),
                ]
            ),
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=jinja2.FileSystemBytecodeCache(str(self.cache / "templates")),
        )
        environment.filters["clock"] = clock
        return environment

    def render(self, page: Page) -> str:
        # A host shows 404.html for any address, so its links cannot be relative.
        up = urlsplit(self.settings["url"]).path if page.path == "404.html" else page.up
        html = self.environment.get_template(page.template).render(
            page=page,
            up=up,
            asset=lambda name: up + self.assets.path(name),
            policy=policy_of(page.template, self.python.policy),
            python=self.python,
            site=self.settings,
            search_index=self.search_index,
            **page.values,
        )
        return REFERENCE.sub(lambda match: f'href="{up}{self.address(*match.groups())}"', html)

    def address(self, kind: str, name: str, anchor: str | None) -> str:
        # What leads nowhere was reported when the sources were gathered; the page is then not written.
        return (self.targets.address(kind, name) or "404.html") + (anchor or "")


def clock(minutes: float) -> str:
    """7 to `7:00`, 2.5 to `2:30`."""
    seconds = round(minutes * 60)
    return f"{seconds // 60}:{seconds % 60:02d}"
