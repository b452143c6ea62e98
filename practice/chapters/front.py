"""The front matter of a chapter: TOML between two `+++` lines."""

import re
import tomllib

from practice.chapters.chapter import Phase
from practice.chapters.finding import Finding

# name: (type, how to write it, needed)
FIELDS = {
    "title": (str, 'title = "The framework"', True),
    "slug": (str, 'slug = "framework"', True),
    "order": (int, "order = 1", True),
    "kind": (str, 'kind = "guide"', True),
    "summary": (str, 'summary = "One sentence for the list of chapters."', True),
    "minutes": (int, "minutes = 20", True),
    "exercises": (list, "exercises = [184]", True),
    "seconds": ((int, float), "seconds = 60", False),
    "phases": (dict, '[phases] with lines such as "Clarify" = 5', False),
}
WORDS = {str: "text in quotes", int: "a whole number", list: "a list", dict: "a table", (int, float): "a number"}


def read_front(text: str, file: str, findings: list[Finding]) -> tuple[dict, str, int] | None:
    """(the fields of Chapter, the Markdown under the front matter, the lines before it), or None with findings."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "+++":
        findings.append(Finding(file, 1, "no front matter: the first line must be `+++`", "see docs/chapters.md, Front matter"))
        return None
    end = next((index for index in range(1, len(lines)) if lines[index].strip() == "+++"), None)
    if end is None:
        findings.append(Finding(file, 1, "the front matter is never closed", "end it with a line `+++`"))
        return None
    try:
        table = tomllib.loads("\n".join(lines[1:end]))
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        findings.append(Finding(file, 1 + (int(at.group(1)) if at else 0), f"the front matter is not TOML: {error}"))
        return None
    places = {match.group(1): number for number, line in enumerate(lines[:end], 1) if (match := re.match(r"\[?(\w+)", line))}
    before = len(findings)
    for key in sorted(set(table) - set(FIELDS)):
        findings.append(Finding(file, places.get(key, 1), f"a chapter has no `{key}`; it has {', '.join(FIELDS)}"))
    for key, (kind, example, needed) in FIELDS.items():
        check_field(key, kind, example, needed, table, (file, places.get(key, 1)), findings)
    if len(findings) > before:
        return None
    return to_fields(table), "\n".join(lines[end + 1 :]), end + 1


def check_field(key, kind, example, needed, table, place, findings) -> None:
    """Adds a finding where the field is missing, of another type, or out of its range."""
    file, line = place
    if key not in table:
        if needed:
            findings.append(Finding(file, 1, f"the front matter has no `{key}`", f"add `{example}`"))
        return
    value, reason = table[key], ""
    if not isinstance(value, kind) or isinstance(value, bool):
        reason = f"it must be {WORDS[kind]}"
    elif key == "kind" and value not in ("guide", "design"):
        reason = "it must be guide or design"
    elif key == "slug" and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        reason = "it may hold small letters, digits and single hyphens"
    elif key in ("minutes", "order", "seconds") and value <= 0:
        reason = "it must be above 0"
    elif key in ("title", "summary") and not value.strip():
        reason = "it must not be empty"
    elif key == "exercises" and not all(isinstance(number, int) for number in value):
        reason = "it must be a list of whole numbers"
    elif key == "phases" and not all(isinstance(minutes, (int, float)) and minutes > 0 for minutes in value.values()):
        reason = "each phase needs its minutes, a number above 0"
    if reason:
        shown = '"' + value + '"' if isinstance(value, str) else value
        findings.append(Finding(file, line, f"`{key}` is {shown}, but {reason}", f"write `{example}`"))


def to_fields(table: dict) -> dict:
    phases = tuple(Phase(title, float(minutes)) for title, minutes in table.get("phases", {}).items())
    return {
        **{key: table[key] for key in ("title", "slug", "order", "kind", "summary", "minutes")},
        "exercises": tuple(table["exercises"]),
        "seconds": float(table.get("seconds", 60)),
        "phases": phases,
    }
