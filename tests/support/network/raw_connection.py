"""Connections of those who keep to no protocol: bytes as one likes, and what comes back."""

from __future__ import annotations

import socket
from contextlib import suppress
from types import TracebackType

TEXT, CONTINUATION, CLOSE, PING = 1, 0, 8, 9


class RawConnection:
    """A TCP connection, perhaps made a WebSocket, on which anything can be sent."""

    def __init__(self, address: str, who: str | None = None, timeout: float = 20.0) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self.host = f"{host}:{port}"
        self.who = who
        self.socket = socket.create_connection((host, int(port)), timeout)
        self._buffer = b""

    def __enter__(self) -> RawConnection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Whether it could be sent: the other side may be gone."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def head(self, line: str, *more: str) -> bytes:
        """The head of a request, for whom we say we are."""
        lines = [line, f"Host: {self.host}", *([f"X-Forwarded-For: {self.who}"] if self.who else []), *more]
        return "\r\n".join([*lines, "", ""]).encode()

    def upgrade(self, path: str, *more: str) -> str:
        """Become a WebSocket; the first line of the answer."""
        wishes = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
        self.send(self.head(f"GET {path} HTTP/1.1", *wishes, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *more))
        while b"\r\n\r\n" not in self._buffer:
            part = self.socket.recv(65536)
            if not part:
                break
            self._buffer += part
        first, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        return first.split(b"\r\n")[0].decode()

    def frame(self, kind: int, content: bytes = b"", *, last: bool = True) -> bytes:
        """A frame as a client sends it; a mask of zeros leaves the content as it is."""
        size = len(content)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
        return bytes([(0x80 if last else 0) | kind]) + length + b"\0\0\0\0" + content

    def close_code(self) -> int | None:
        """Read to the end; with which code the server said goodbye, or None where it just went."""
        code = None
        while (found := self.next_frame()) is not None:
            kind, content = found
            if kind == CLOSE:
                code = int.from_bytes(content[:2], "big")
        return code

    def next_frame(self) -> tuple[int, bytes] | None:
        """The next frame's kind and content, or None at the end."""
        head = self._take(2)
        if head is None:
            return None
        size = head[1] & 0x7F
        if size > 125:
            more = self._take(2 if size == 126 else 8)
            if more is None:
                return None
            size = int.from_bytes(more, "big")
        content = self._take(size)
        return None if content is None else (head[0] & 0x0F, content)

    def _take(self, size: int) -> bytes | None:
        while len(self._buffer) < size:
            part = b""
            with suppress(ConnectionError):
                part = self.socket.recv(65536)
            if not part:
                return None
            self._buffer += part
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def rest(self) -> bytes:
        """Everything until the server ends the connection."""
        found = self._buffer
        with suppress(ConnectionError):
            while part := self.socket.recv(65536):
                found += part
        return found
