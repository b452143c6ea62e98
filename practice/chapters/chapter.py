"""What a chapter is, as read from its file and before anything ran."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    """A part of the interview."""

    title: str
    """The `##` heading it belongs to."""
    minutes: float


@dataclass(frozen=True)
class Block:
    """A `python` block that runs."""

    line: int
    """Line in the file of its opening fence, from 1."""
    end: int
    """Line of its closing fence."""
    source: str
    output: str | None
    """Text of the `output` block under it, or None."""
    output_lines: tuple[int, int] | None
    """Lines of the output block's opening and closing fence."""


@dataclass(frozen=True)
class Value:
    """A computed number in the prose: `[16.8](=limit:.1f)`."""

    line: int
    start: int
    """Column of its `[`, from 0."""
    end: int
    """Column after its `)`."""
    text: str
    """What the prose says."""
    expression: str
    """What computes it, with a format after the last colon if there is one."""


@dataclass(frozen=True)
class Question:
    """A stop of the walkthrough."""

    line: int
    ask: str
    unit: str = ""
    answer: str = ""
    """An expression over the chapter's names, or "" for an open question."""
    why: str = ""
    """Markdown."""


@dataclass(frozen=True)
class Heading:
    line: int
    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Chapter:
    """One chapter, whole."""

    file: str
    """Path from the checkout's root, with forward slashes."""
    title: str
    slug: str
    order: int
    kind: str
    """guide or design."""
    summary: str
    minutes: int
    exercises: tuple[int, ...]
    seconds: float
    """Limit for running all blocks."""
    phases: tuple[Phase, ...]
    text: str
    """The Markdown without the front matter."""
    offset: int
    """Lines of the file before `text`: line n of the text is line offset + n of the file."""
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    values: tuple[Value, ...]
    questions: tuple[Question, ...]
