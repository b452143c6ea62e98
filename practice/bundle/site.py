"""The bundle as a part of the built site: what the pages need to know, and a plain word where it cannot be had."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from practice.kernel.errors import BrokenExercise, PracticeError
from practice.kernel.exercise import Exercise


@dataclass(frozen=True)
class Part:
    """What a site gets from the bundle; all empty where Pyodide or Node is missing."""

    files: dict[str, bytes] = field(default_factory=dict)
    """Path from the site's root to bytes; every name carries a hash."""
    manifest: str = ""
    """Path of the manifest, for `data-manifest`, or ""."""
    core: tuple[str, ...] = ()
    """Paths of what Python boots from, for a page that loads it at once."""
    judged: dict[str, str] = field(default_factory=dict)
    """Id to path of the exercises a page can judge; the others show the shell command."""
    policy: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Directive to sources that a page with Python adds to its content-security policy."""
    has_numpy: bool = False
    note: str = ""
    """What is missing and what that means, or ""."""


def part_of_site(root: Path, say: Callable[[str], None] = lambda line: None) -> Part:
    """The bundle of a checkout. Never fails: without it the site shows the shell commands."""
    # Every build imports this module for `Part`; what makes a bundle costs 50 ms to import.
    from practice.bundle.build import make_bundle

    try:
        bundle = make_bundle(root, readable(root), say=say)
    except PracticeError as error:
        return Part(note=f"the pages have no editor, because {error.message}")
    note = f"exercises that need numpy show the shell command, because {'; '.join(bundle.missing)}" if bundle.missing else ""
    return Part(bundle.files, bundle.manifest, bundle.core, bundle.exercises, bundle.policy, not bundle.missing, note)


def readable(root: Path) -> list[Exercise]:
    """Every exercise that can be judged; `judge.py check` tells about the others."""
    from practice.catalog.find import Catalog
    from practice.catalog.read import read_exercise

    found = []
    for entry in Catalog(root).all():
        try:
            found.append(read_exercise(entry.folder))
        except BrokenExercise:
            continue
    return found
