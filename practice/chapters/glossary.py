"""The glossary: chapters/glossary.toml, one table per term.

[goodput]
term = "Goodput"
means = "Requests per second that meet every SLO. ..."
see = ["slo", "knee"]
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from practice.chapters.finding import Finding
from practice.chapters.read import read_text


@dataclass(frozen=True)
class Term:
    slug: str
    """Its key and anchor."""
    term: str
    means: str
    """Markdown, one to four sentences."""
    see: tuple[str, ...]
    """Slugs of related terms."""
    line: int


def read_glossary(path: Path, root: Path, findings: list[Finding]) -> list[Term]:
    """Terms in alphabetical order; what is wrong is added to findings."""
    file = path.relative_to(root).as_posix()
    if not path.exists():
        return []
    text = read_text(path, file, findings)
    if text is None:
        return []
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        findings.append(Finding(file, int(at.group(1)) if at else 0, f"the glossary is not TOML: {error}"))
        return []
    places = {match.group(1): number for number, line in enumerate(text.split("\n"), 1) if (match := re.match(r"\[([^\]]+)\]", line))}
    terms = []
    for slug, entry in table.items():
        line = places.get(slug, 0)
        if not isinstance(entry, dict) or not isinstance(entry.get("term"), str) or not isinstance(entry.get("means"), str):
            findings.append(Finding(file, line, f"`{slug}` needs `term` and `means`, both text in quotes"))
            continue
        for other in entry.get("see", []):
            if other not in table:
                findings.append(Finding(file, line, f"`{slug}` points to `{other}`, which is no term of the glossary"))
        terms.append(Term(slug, entry["term"], entry["means"], tuple(entry.get("see", [])), line))
    return sorted(terms, key=lambda term: term.term.lower())
