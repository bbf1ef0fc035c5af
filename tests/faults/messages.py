"""HTTP/1.1 messages as bytes: one is read whole from a connection, and handed on unchanged. Understands no content."""

from __future__ import annotations

from dataclasses import dataclass
from io import BufferedIOBase

PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
BAD_GATEWAY = (
    b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    % len(PAGE)
) + PAGE
"""What a proxy answers that has got no answer itself."""


@dataclass(frozen=True)
class Message:
    """A request or an answer.

    Attributes:
        head: the first line and the headers, with the empty line after them.
        body: what follows.
    """

    head: bytes
    body: bytes

    @property
    def whole(self) -> bytes:
        """As it goes over the wire."""
        return self.head + self.body

    @property
    def half(self) -> bytes:
        """What has arrived when the connection breaks in the middle."""
        return self.whole[: len(self.whole) // 2]

    @property
    def start(self) -> str:
        """The first line."""
        return self.head.partition(b"\r\n")[0].decode()

    @property
    def status(self) -> int:
        """The status of an answer."""
        return int(self.start.split(" ")[1])


def read_message(stream: BufferedIOBase) -> Message | None:
    """Read one message; None if the other side has closed the connection before or within it."""
    lines = [stream.readline()]
    while lines[-1] not in {b"\r\n", b""}:
        lines.append(stream.readline())
    if lines[-1] == b"":
        return None
    length = _content_length(lines)
    body = stream.read(length)
    return Message(b"".join(lines), body) if len(body) == length else None


def _content_length(lines: list[bytes]) -> int:
    names = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
    assert b"transfer-encoding" not in names, "both sides always say how long a body is"
    return int(names.get(b"content-length", b"0"))
