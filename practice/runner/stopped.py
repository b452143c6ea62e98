"""Why a submission cannot answer any more."""

from practice.kernel.verdict import Status


class Stopped(Exception):
    """Its end is gone (status None), or it reached a limit; `reason` says so for the learner."""

    def __init__(self, status: Status | None, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
