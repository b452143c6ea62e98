"""One page of the site before it is rendered."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Page:
    path: str
    """From the site's root: `chapters/framework.html`."""
    template: str
    title: str
    description: str
    values: dict = field(default_factory=dict)
    """What the template gets besides the site's own values."""
    key: str = ""
    """Digest of everything in `values`: an equal key gives an equal page."""
    section: str = ""
    """The entry of the main menu it belongs to."""
    listed: bool = True
    """Stands in the sitemap."""

    @property
    def up(self) -> str:
        """The way from this page to the site's root: "" or "../"."""
        return "../" * self.path.count("/")
