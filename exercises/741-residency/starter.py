"""Exercise 741: which LoRA adapters are on the GPU."""


class Residency:
    """Admission of requests with adapters, of which a few fit on the GPU."""

    def __init__(self, slots: int, max_batch: int):
        """slots: adapters that fit on the GPU; max_batch: requests that may run at once."""
        raise NotImplementedError

    def submit(self, request: str, adapter: str) -> None:
        """Queue a request; adapter "" is the base model. Raises ValueError for a name that was submitted before."""
        raise NotImplementedError

    def admit(self) -> list[str]:
        """Walk the queue once and admit whoever can run; returns them in order."""
        raise NotImplementedError

    def finish(self, request: str) -> None:
        """A running request has ended. Raises KeyError if it is not running."""
        raise NotImplementedError

    def resident(self) -> list[str]:
        """Resident adapters, the one last used the longest ago first."""
        raise NotImplementedError

    def loads(self) -> int:
        """How many adapters were loaded so far, reloads included."""
        raise NotImplementedError
