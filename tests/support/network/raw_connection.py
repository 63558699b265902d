"""Raw TCP connections for tests that send malformed or unusual bytes."""

from __future__ import annotations

import socket
from contextlib import suppress
from types import TracebackType

TEXT, CONTINUATION, CLOSE, PING = 1, 0, 8, 9


class RawConnection:
    """A TCP connection that can be upgraded to a WebSocket and sends any bytes."""

    def __init__(self, address: str, forwarded_for: str | None = None, timeout: float = 20.0) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self.host = f"{host}:{port}"
        self.forwarded_for = forwarded_for
        self.socket = socket.create_connection((host, int(port)), timeout)
        self._buffer = b""

    def __enter__(self) -> RawConnection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Send bytes; return False if the connection is closed."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def head(self, line: str, *headers: str) -> bytes:
        """Return the head of a request, with X-Forwarded-For if this connection has an address to claim."""
        lines = [
            line,
            f"Host: {self.host}",
            *([f"X-Forwarded-For: {self.forwarded_for}"] if self.forwarded_for else []),
            *headers,
        ]
        return "\r\n".join([*lines, "", ""]).encode()

    def upgrade(self, path: str, *headers: str) -> str:
        """Request an upgrade to a WebSocket; return the status line of the answer."""
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
        self.send(self.head(f"GET {path} HTTP/1.1", *upgrade, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *headers))
        while b"\r\n\r\n" not in self._buffer:
            part = self.socket.recv(65536)
            if not part:
                break
            self._buffer += part
        first, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        return first.split(b"\r\n")[0].decode()

    def frame(self, kind: int, content: bytes = b"", *, last: bool = True) -> bytes:
        """Return a WebSocket frame of a client, with a mask of zeros, which leaves the content unchanged."""
        size = len(content)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
        return bytes([(0x80 if last else 0) | kind]) + length + b"\0\0\0\0" + content

    def close_code(self) -> int | None:
        """Read until the server closes the connection; return the code of its close frame, or None without one."""
        code = None
        while (frame := self.next_frame()) is not None:
            kind, content = frame
            if kind == CLOSE:
                code = int.from_bytes(content[:2], "big")
        return code

    def next_frame(self) -> tuple[int, bytes] | None:
        """Return the opcode and content of the next frame, or None at the end."""
        head = self._take(2)
        if head is None:
            return None
        size = head[1] & 0x7F
        if size > 125:
            length = self._take(2 if size == 126 else 8)
            if length is None:
                return None
            size = int.from_bytes(length, "big")
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

    def read_all(self) -> bytes:
        """Read until the server closes the connection; return all bytes."""
        data = self._buffer
        with suppress(ConnectionError):
            while part := self.socket.recv(65536):
                data += part
        return data
