"""What the project raises when someone used it wrongly.

    PracticeError            wrong use: a message that says what was found and what is accepted, and a hint
     ├ NotFound              no such exercise, file or chapter; carries the nearest names
     └ BrokenExercise        an exercise folder that breaks its own rules

A wrong submission is never an exception: it is a Verdict (see verdict.py). A bug of ours is any other exception.
"""


class PracticeError(Exception):
    """Someone used us wrongly.

    message: what was found and where, and what is accepted; no full stop after a single sentence.
    hint: the one thing to do next, or "".
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n\nhint: {self.hint}" if self.hint else self.message


class NotFound(PracticeError):
    """A name that stands for nothing; `nearest` holds the closest names that do."""

    def __init__(self, message: str, hint: str = "", nearest: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint)
        self.nearest = nearest


class BrokenExercise(PracticeError):
    """An exercise folder that does not follow the format."""
