"""What the audit tells an author."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from practice.catalog.fault import Fault


@dataclass(frozen=True)
class Finding:
    """One thing to mend, or one suggestion."""

    exercise: str
    """The folder's name: `184-fleet-size`."""
    file: str
    """Relative to that folder; "" for the folder itself."""
    message: str
    hint: str = ""
    key: str = ""
    """The key in exercise.toml or the check's name, or ""."""
    suggestion: bool = False
    """True for what may stay as it is: it fails no audit."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def from_faults(exercise: str, faults: Iterable[Fault]) -> Iterator[Finding]:
    """The faults of a folder's form as findings of the audit."""
    for fault in faults:
        yield Finding(exercise, fault.file, fault.message, fault.hint, fault.key)
