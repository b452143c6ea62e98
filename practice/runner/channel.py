"""Short orders and answers between the judge and its fork server: one JSON line each, with open files beside an order."""

import _socket  # the C half: `socket` itself takes longer to import than a whole check takes to run
import json
import sys

FILES_AT_MOST = 8
NATIVE = sys.byteorder


class ChannelClosed(Exception):
    """The other side is gone."""


class Channel:
    """One end of a socket pair."""

    def __init__(self, end: _socket.socket) -> None:
        self._end = end
        self._rest = b""

    def fileno(self) -> int:
        return self._end.fileno()

    def send(self, message: dict, files: tuple[int, ...] = ()) -> None:
        """Raises ChannelClosed."""
        line = json.dumps(message).encode() + b"\n"
        beside = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, b"".join(f.to_bytes(4, NATIVE) for f in files))] if files else []
        try:
            sent = self._end.sendmsg([line], beside)
            while sent < len(line):
                sent += self._end.send(line[sent:])
        except OSError as error:
            raise ChannelClosed(str(error)) from None

    def receive(self, seconds: float | None = None) -> tuple[dict, list[int]]:
        """The next message and its files, waiting at most `seconds` for each part. Raises ChannelClosed."""
        files: list[int] = []
        try:
            self._end.settimeout(seconds)
            while b"\n" not in self._rest:
                part, beside, _, _ = self._end.recvmsg(65536, _socket.CMSG_SPACE(4 * FILES_AT_MOST))
                for _, _, data in beside:
                    files += [int.from_bytes(data[at : at + 4], NATIVE) for at in range(0, len(data), 4)]
                if not part:
                    raise ChannelClosed("end of file")
                self._rest += part
        except OSError as error:
            raise ChannelClosed(str(error)) from None
        self._end.settimeout(None)
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line), files

    def close(self) -> None:
        self._end.close()


def make_pair() -> tuple[Channel, _socket.socket]:
    """The judge's end, and the bare end to hand to the fork server."""
    ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    return Channel(ours), theirs


def adopt(descriptor: int) -> Channel:
    """The channel that was inherited as a file descriptor."""
    return Channel(_socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, descriptor))
