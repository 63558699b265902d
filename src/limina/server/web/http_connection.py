"""A connection that is asked for things over HTTP, as uvicorn has it, with an end to everything that it lets go on.

Headers are counted by their number, size and time. Whoever does not read what they are sent is cut off.
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from limina.server.web.asgi import Message
from limina.server.web.connections import connections_of
from limina.server.web.handshake import HandshakeError, accept, response
from limina.server.web.rate_limits import PROXIED
from limina.server.web.socket_connection import LINGER_SECONDS, STALLED_SECONDS, SocketConnection

HEAD_SECONDS = 10.0
"""What the address and the headers of a request may take to arrive."""
_MOST_HEAD_BYTES = 16 * 1024
_MOST_HEADERS = 100
_MOST_IN_LINE = 16
"""Requests that are sent before the first is answered."""


class _HeadError(Exception):
    """The address and headers of a request are more than anybody needs."""


class HttpConnection(HttpToolsProtocol):
    """A connection that is asked for things over HTTP."""

    url = b""
    _late: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _lingering: asyncio.TimerHandle | None = None
    _in_head = False
    _head_bytes = 0
    """That came while a head was not complete."""
    _header_bytes = 0
    """Of the headers that are complete."""
    _overhead_bytes = 0
    """That came since the last head and are no body: lines before a request, and what is around parts of a body."""
    _answered: RequestResponseCycle | None = None
    """The request that is being answered; others may wait behind it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it in, if there is room."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # we are told of everything that does not leave at once
        host = self.client[0] if self.client else None
        connections = connections_of(self.app_state)
        if connections.is_for_others(host):
            self.app_state = {**self.app_state, PROXIED: True}
        if connections.admit(transport, host):
            self._expect_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        connections_of(self.app_state).leave(self.transport)
        self._cancel()
        self._nobody_listens()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is too much or comes too slowly."""
        if self.transport.is_closing():
            return
        if self._late is None and (self.cycle is None or self.cycle.response_complete):
            self._expect_head()
        self._overhead_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing() or self.parser is None:  # that was its end, as a request's
            return
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > 2 * _MOST_HEAD_BYTES:  # something before it may have come with it
                self._refuse_head()
        elif self._overhead_bytes > 2 * _MOST_HEAD_BYTES:
            self._refuse(413, "there is more around this request than in it")

    def on_message_begin(self) -> None:
        """Count anew."""
        super().on_message_begin()
        self._in_head = True
        self._head_bytes = self._header_bytes = self._overhead_bytes = 0

    def on_url(self, url: bytes) -> None:
        """Read on, as long as the address is not too long."""
        super().on_url(url)
        if len(self.url) > _MOST_HEAD_BYTES:
            raise _HeadError

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read on, as long as there are not too many. What comes after a body is none."""
        if not self._in_head:
            return
        super().on_header(name, value)
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > _MOST_HEAD_BYTES or len(self.headers) > _MOST_HEADERS:
            raise _HeadError

    def on_headers_complete(self) -> None:
        """A whole head is here: what follows has its own limits."""
        if len(self.pipeline) >= _MOST_IN_LINE:
            raise _HeadError
        if self._late is not None:
            self._late.cancel()
            self._late = None
        self._in_head = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Read on; a body in parts may have as much around it again."""
        super().on_body(body)
        self._overhead_bytes = max(0, self._overhead_bytes - 2 * len(body))

    def send_400_response(self, msg: str) -> None:
        """Say that nothing can be made of it, once."""
        if self.transport.is_closing():
            return
        if max(self._header_bytes, len(self.url)) > _MOST_HEAD_BYTES or len(self.headers or ()) > _MOST_HEADERS:
            self._refuse_head()
        else:
            super().send_400_response(msg)
            self._linger()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a socket's, if nothing else is being answered and everything has left."""
        if self._stalled is not None or (self._answered is not None and not self._answered.response_complete):
            self._linger()
            return
        self._cancel()
        try:
            accepted = accept(self.scope["method"], self.scope["http_version"], self.headers)
            url = httptools.parse_url(self.url)
        except HandshakeError as caught:
            self._end_with(caught.response)
            return
        except httptools.HttpParserError:
            self._end_with(response(400, "unreadable", "this is not an address"))
            return
        self.connections.discard(self)
        # No method: whoever is asked whether a request is harmless must not take this for a GET.
        scope: Message = {
            "type": "websocket",
            "asgi": self.scope["asgi"],
            "http_version": self.scope["http_version"],
            "scheme": "wss" if self.scheme == "https" else "ws",
            "server": self.server,
            "client": self.client,
            "root_path": "",
            "path": unquote((url.path or b"/").decode("latin-1")),
            "raw_path": url.path,
            "query_string": url.query or b"",
            "headers": self.headers,
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self.parser = None  # type: ignore[assignment]  # it holds us, and so none would be freed until looked for
        socket = SocketConnection(self.loop, self.transport, self.server_state, self.app_state)
        self.transport.set_protocol(socket)
        socket.open(self.app, scope, accepted)

    def pause_writing(self) -> None:
        """Nothing more can be sent: whoever does not read on is cut off."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self._cut)

    def resume_writing(self) -> None:
        """They read on."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _expect_head(self) -> None:
        self._late = self.loop.call_later(HEAD_SECONDS, self._linger)

    def _refuse_head(self) -> None:
        self._refuse(431, "the address and the headers of this request are too large")

    def _refuse(self, status: int, sentence: str) -> None:
        self._end_with(response(status, "too_large", sentence))

    def _end_with(self, answer: bytes) -> None:
        self.transport.write(answer)
        self._linger()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _linger(self) -> None:
        self._nobody_listens()
        self.transport.close()
        if self._lingering is None:
            self._lingering = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _cut(self) -> None:
        self._nobody_listens()
        self.transport.abort()

    def _nobody_listens(self) -> None:
        """Whatever is being answered need not be written any more, and those who wait behind it are forgotten."""
        self.pipeline.clear()
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()

    def _cancel(self) -> None:
        for timer in (self._late, self._stalled, self._lingering):
            if timer is not None:
                timer.cancel()
        self._late = self._stalled = self._lingering = None
