"""Exercise 223: a router that weighs cache against load."""


class Router:
    """Sends each request to the replica whose cached blocks outweigh its queue."""

    def __init__(self, replicas: int, capacity: int, load_cost: int):
        """replicas: how many; capacity: block keys remembered per replica; load_cost: blocks that one outstanding request outweighs."""
        raise NotImplementedError

    def route(self, keys: list[str]) -> int:
        """The number of the replica that gets a request with these block keys; remembers it."""
        raise NotImplementedError

    def finish(self, replica: int) -> None:
        """One outstanding request of this replica has ended.

        Raises ValueError when there is no such replica or it has nothing outstanding.
        """
        raise NotImplementedError
