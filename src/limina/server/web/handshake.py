"""How a request over HTTP becomes a WebSocket, or is refused in a sentence."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from http import HTTPStatus

from websockets.utils import accept_key

from limina.server.errors import ErrorCode
from limina.server.wire.encoding import dump, error

_KEY_BYTES = 16


class HandshakeError(Exception):
    """A request that cannot become a socket."""

    def __init__(self, status: int, sentence: str, header: bytes = b"") -> None:
        super().__init__(sentence)
        self.response = response(status, "unreadable", sentence, header)


def accept(method: str, http_version: str, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The answer that opens the socket."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in (b"sec-websocket-key", b"sec-websocket-version"):
            if name in found:
                raise HandshakeError(400, "a WebSocket is opened with one key and one version")
            found[name] = value
    if method != "GET":
        raise HandshakeError(405, "a WebSocket is opened with GET", b"allow: GET\r\n")
    if http_version != "1.1":
        raise HandshakeError(505, "a WebSocket is opened over HTTP 1.1")
    if found.get(b"sec-websocket-version") != b"13":
        raise HandshakeError(426, "this server speaks version 13 of WebSockets", b"sec-websocket-version: 13\r\n")
    key = found.get(b"sec-websocket-key", b"")
    try:
        size = len(base64.b64decode(key, validate=True))
    except binascii.Error:
        size = 0
    if size != _KEY_BYTES:
        raise HandshakeError(400, "this is no key of a WebSocket")
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
        b"sec-websocket-accept: %b\r\n\r\n" % accept_key(key.decode()).encode()
    )


def response(status: int, code: ErrorCode, sentence: str, headers: bytes = b"") -> bytes:
    """An answer that ends a connection, as it is sent."""
    return closing_response(status, headers + b"content-type: application/json\r\n", dump(error(code, sentence)))


def closing_response(status: int, headers: bytes, body: bytes) -> bytes:
    """The same with any body."""
    return b"HTTP/1.1 %d %b\r\n%bconnection: close\r\ncontent-length: %d\r\n\r\n%b" % (
        status,
        HTTPStatus(status).phrase.encode(),
        headers,
        len(body),
        body,
    )
