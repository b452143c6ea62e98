"""What an exercise is. Knows nothing of folders: practice.catalog reads one from disk, the web page from JSON."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """What one check may use."""

    seconds: float = 1.0
    """CPU seconds of the submission per check, on the machine the limit was set on."""
    memory: int = 512 * 2**20
    """Bytes of memory of the submission's process."""
    output: int = 64 * 2**10
    """Bytes the submission may print per check."""


@dataclass(frozen=True)
class KnownWrong:
    """A stored mistake that real people make."""

    name: str
    """The file's stem in wrong/, and the key in exercise.toml."""
    source: str
    """The submission's text."""
    fails: str
    """The first check that must fail."""
    says: str
    """Words the learner must then read."""
    idea: str = ""
    """The mistake in one sentence, told to a learner whose answers are the same on the same inputs."""


@dataclass(frozen=True)
class Exercise:
    """One exercise, whole: everything its judge and its page need, as text."""

    number: int
    """Permanent, never reused."""
    slug: str
    """The folder's name without the number: `fleet-size`."""
    title: str
    topic: str
    """A topic's slug of the catalogue: `estimation`, `kv-cache`, ..."""
    level: str
    """easy, medium or hard."""
    minutes: int
    """How long it takes someone who knows the material."""
    entry: tuple[str, ...]
    """The names a submission must define."""
    checks: str
    """checks.py as text."""
    prompt: str = ""
    starter: str = ""
    solution: str = ""
    hints: tuple[str, ...] = ()
    """Three, from a nudge to nearly there."""
    after: str = ""
    """The after-talk, Markdown."""
    wrong: tuple[KnownWrong, ...] = ()
    limits: Limits = field(default_factory=Limits)
    requires: tuple[str, ...] = ()
    """What judging needs beside Python: "numpy", "sim", "processes"; the last cannot be had in a browser."""
    chapter: str = ""
    """The slug of the chapter it belongs to, or ""."""
    needs: tuple[int, ...] = ()
    """Numbers of exercises worth solving first."""
    next: int | None = None
    """The number of the exercise that follows, or None at the end of a path."""
    sources: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The folder's name: `184-fleet-size`."""
        return f"{self.number}-{self.slug}"
