"""The keys of exercise.toml: which there are, what each accepts, and the words for what it does not accept."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from practice.catalog.fault import Fault
from practice.catalog.topic import LEVELS, TOPICS

REQUIRES = ("numpy", "sim", "processes")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Field:
    """One key of exercise.toml."""

    accepts: Callable[[Any], bool]
    words: str
    """What is accepted, after "it must be": `a whole number`."""
    example: str
    """A right value, as TOML."""
    required: bool = True


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return (_is_int(value) or isinstance(value, float)) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _list_of(accepts: Callable[[Any], bool], *, some: bool = False) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(accepts, value)) and (bool(value) or not some)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value.isidentifier()


def _is_slug(value: Any) -> bool:
    return isinstance(value, str) and bool(SLUG.fullmatch(value))


FIELDS: dict[str, Field] = {
    "number": Field(lambda v: _is_int(v) and v > 0, "a whole number above 0", "184"),
    "slug": Field(_is_slug, "lower-case words joined by hyphens", '"fleet-size"'),
    "title": Field(_is_text, "text", '"QPS to GPU count"'),
    "topic": Field(lambda v: v in TOPICS, "one of " + ", ".join(TOPICS), '"estimation"'),
    "level": Field(lambda v: v in LEVELS, "easy, medium or hard", '"hard"'),
    "minutes": Field(lambda v: _is_int(v) and v > 0, "a whole number", "40"),
    "entry": Field(_list_of(_is_name, some=True), "a list of the names a submission defines", '["plan"]'),
    "requires": Field(_list_of(lambda v: v in REQUIRES), "a list of any of " + ", ".join(REQUIRES), '["numpy"]', required=False),
    "chapter": Field(_is_slug, "a chapter's slug", '"chat-70b"', required=False),
    "needs": Field(_list_of(_is_int), "a list of exercise numbers", "[180, 181]", required=False),
    "next": Field(_is_int, "an exercise number", "185", required=False),
    "sources": Field(_list_of(_is_text), "a list of sources", '["Kwon et al. 2023, section 4.1"]', required=False),
    "limits": Field(lambda v: isinstance(v, dict), "a table", "", required=False),
    "wrong": Field(lambda v: isinstance(v, dict), "a table of tables, one per file in wrong/", "", required=False),
}

LIMITS: dict[str, Field] = {
    "seconds": Field(_is_number, "a number of seconds above 0", "1.0", required=False),
    "memory_mib": Field(_is_number, "a number of MiB above 0", "512", required=False),
    "output_kib": Field(_is_number, "a number of KiB above 0", "64", required=False),
}

KNOWN_WRONG: dict[str, Field] = {
    "fails": Field(_is_name, "the name of the first check that must fail", '"check_partial_last_block"'),
    "says": Field(_is_text, "words the learner must then read", '"partly filled block"'),
    "idea": Field(_is_text, "the mistake in one sentence", '"Dividing with // forgets the last block."', required=False),
}


def faults_in(table: Mapping[str, Any], fields: Mapping[str, Field], prefix: str = "") -> list[Fault]:
    """Everything in a TOML table that `fields` does not accept; `prefix` is the table's own name with a dot."""
    faults = []
    for key, field in fields.items():
        if key in table and not field.accepts(table[key]):
            faults.append(_wrong_value(prefix + key, key, table[key], field))
        elif key not in table and field.required:
            text = f"`{prefix}{key}` is missing; it must be {field.words}"
            faults.append(Fault("exercise.toml", text, f"write `{key} = {field.example}`", prefix + key, fatal=True))
    for key in table:
        if key not in fields:
            text = f"`{prefix}{key}` is not a key of this format; the keys are {', '.join(fields)}"
            faults.append(Fault("exercise.toml", text, "remove it, or mend its spelling", prefix + key))
    return faults


def _wrong_value(full: str, key: str, value: Any, field: Field) -> Fault:
    shown = f'"{value}"' if isinstance(value, str) else repr(value)
    if len(shown) > 60:
        shown = shown[:57] + "..."
    hint = f"write `{key} = {field.example}`" if field.example else ""
    return Fault("exercise.toml", f"`{full}` is {shown}, but it must be {field.words}", hint, full, fatal=True)
