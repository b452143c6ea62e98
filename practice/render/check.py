"""The finished pages: every link and anchor of every page leads somewhere, every id is there once."""

import posixpath
import re
from collections import Counter

from practice.chapters.finding import Finding

TAG = re.compile(r"<[a-z][^>]*>", re.IGNORECASE)
HREF = re.compile(r'\s(?:href|src)="([^"]*)"')
ID = re.compile(r'\sid="([^"]+)"')


def marks_of(html: str) -> dict:
    """{"links": addresses within the site, "ids": anchors, "twice": ids there more than once}; kept with the page for later builds."""
    tags = " ".join(TAG.findall(html))
    ids = Counter(ID.findall(tags))
    links = {link.replace("&amp;", "&") for link in HREF.findall(tags)}
    inside = sorted(link for link in links if not re.match(r"[a-z]+:|//", link))
    return {"links": inside, "ids": sorted(ids), "twice": sorted(name for name, count in ids.items() if count > 1)}


def check_site(marks: dict[str, dict], files: set[str], findings: list[Finding]) -> None:
    """marks: of each page by its path; files: every path of the site."""
    ids = {path: set(found["ids"]) for path, found in marks.items()}
    for path, found in marks.items():
        for name in found["twice"]:
            findings.append(Finding(path, 0, f"the id {name!r} is there more than once"))
        if path == "404.html":  # its addresses are absolute
            continue
        for link in found["links"]:
            address, _, anchor = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), address.partition("?")[0])) if address else path
            if target not in files:
                findings.append(Finding(path, 0, f"the link {link!r} leads to no file of the site"))
            elif anchor and "=" not in anchor and target in ids and anchor not in ids[target]:  # with "=" it is a page's state
                findings.append(Finding(path, 0, f"the link {link!r}: {target} has no anchor #{anchor}"))
