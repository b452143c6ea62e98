"""What is wrong with an exercise folder: one line for its author, with the file and the key."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing to mend in an exercise folder."""

    file: str
    """Relative to the exercise's folder: `exercise.toml`, `wrong/floor.py`; "" for the folder itself."""
    message: str
    """What was found and what is accepted, without a full stop at its end."""
    hint: str = ""
    """The one thing to do, or ""."""
    key: str = ""
    """The key in exercise.toml or the check's name, or ""."""
    fatal: bool = False
    """True when the exercise cannot be judged at all because of it."""
