"""What is wrong in a source file, collected so that everything is told at once."""

from dataclasses import dataclass

from practice.kernel.errors import PracticeError


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that is wrong."""

    file: str
    """As the author would type it from the checkout's root."""
    line: int
    """Counted from 1; 0 when it concerns the whole file."""
    message: str
    """What was found and what is accepted."""
    hint: str = ""
    """The one thing to do next."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}" + (f"\n    hint: {self.hint}" if self.hint else "")


class BrokenSources(PracticeError):
    """The chapters or pages cannot be built; `findings` holds every reason, in the order of files and lines."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = sorted(set(findings))
        count = len(self.findings)
        head = "1 thing keeps the site from being built" if count == 1 else f"{count} things keep the site from being built"
        super().__init__("\n\n".join([head, *map(str, self.findings)]))
