"""Processes from fork servers: one server per set of required modules, and always one process that waits to be used."""

from practice.runner.orders import ForkServer
from practice.runner.pipes import Pipes
from practice.runner.session import CannotStart, Ended, Kind, PipeSession


class ForkedProcess:
    """One child of a fork server, from the order on."""

    def __init__(self, server: ForkServer, ticket: int) -> None:
        self._server = server
        self._ticket = ticket
        self._pid = 0

    def pid(self) -> int:
        """Waits until it has been forked. Raises CannotStart."""
        self._pid = self._pid or self._server.pid_of(self._ticket)
        return self._pid

    def end(self, grace: float) -> Ended:
        """End it and all it left, after `grace` seconds to end by itself. Raises CannotStart."""
        return self._server.end(self.pid(), grace)


class Forked:
    """Hands out sessions. A fork server that fails is replaced once."""

    def __init__(self) -> None:
        self._servers: dict[tuple[str, ...], ForkServer] = {}
        self._spare: tuple[Kind, PipeSession] | None = None

    def prepare(self, requires: tuple[str, ...]) -> None:
        """Start the fork server, in the background."""
        self._server(requires)

    def isolation(self, requires: tuple[str, ...]) -> dict:
        return self._server(requires).isolation()

    def open(self, kind: Kind) -> PipeSession:
        """A process that has read nothing of the submission yet. Raises CannotStart."""
        try:
            return self._open(kind)
        except CannotStart:
            self._drop(kind.requires)
        try:
            return self._open(kind)
        except CannotStart:
            self._drop(kind.requires)
            raise

    def close(self) -> None:
        for requires in tuple(self._servers):
            self._drop(requires)

    def _open(self, kind: Kind) -> PipeSession:
        self._server(kind.requires)
        session = self._take_spare(kind) or self._order(kind)
        self._spare = (kind, self._order(kind))  # forks while this one works
        session.begin()
        return session

    def _take_spare(self, kind: Kind) -> PipeSession | None:
        if self._spare is None:
            return None
        (made_for, spare), self._spare = self._spare, None
        if made_for == kind:
            return spare
        spare.discard()
        return None

    def _order(self, kind: Kind) -> PipeSession:
        server = self._server(kind.requires)
        pipes = Pipes(kind.limits.output)
        try:
            ticket = server.order_fork(kind.seconds, kind.limits.memory, list(kind.warm), pipes.theirs)
        except CannotStart:
            pipes.close()
            raise
        pipes.give_away()
        return PipeSession(ForkedProcess(server, ticket), pipes, kind)

    def _server(self, requires: tuple[str, ...]) -> ForkServer:
        if requires in self._servers and not self._servers[requires].is_alive():
            self._drop(requires)
        if requires not in self._servers:
            self._servers[requires] = ForkServer(requires)
        return self._servers[requires]

    def _drop(self, requires: tuple[str, ...]) -> None:
        """Give up a fork server; the next use starts another."""
        self._servers.pop(requires).close()
        if self._spare is not None and self._spare[0].requires == requires:
            self._spare[1].discard()
            self._spare = None
