"""Exercise 723: deficit round robin by tokens."""


class FairQueue:
    """Requests of several clients, served so that each client gets its share of the tokens."""

    def __init__(self, quantum: int, weights: dict[str, int]):
        """quantum: tokens per visit and unit of weight; weights: client -> weight, 1 where it is missing."""
        raise NotImplementedError

    def push(self, client: str, request: str, cost: int) -> None:
        """Add a request of cost tokens behind the client's others. Raises ValueError when cost is below 1."""
        raise NotImplementedError

    def pop(self) -> str | None:
        """Remove the next request and return its name; None when nothing waits."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Number of waiting requests."""
        raise NotImplementedError
