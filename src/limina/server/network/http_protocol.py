"""uvicorn's HTTP protocol with limits on the memory and time that a client can use."""

from __future__ import annotations

import asyncio
from collections import deque

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from limina.server.network.connections import connections_of
from limina.server.network.rate_limits import PROXIED
from limina.server.network.write_stall import WriteStallTimer
from limina.server.schemas.json_encoding import closing_response

HEADER_TIMEOUT_SECONDS = 10.0
"""Close a connection whose request line and headers have not arrived after this time."""
_MAX_HEADER_BYTES = 16 * 1024
"""Upper bound of a request's target, header names and header values together. httptools has no limit of its own."""
_MAX_HEADERS = 100
_MAX_OVERHEAD_BYTES = 2 * _MAX_HEADER_BYTES
"""Upper bound of bytes outside complete headers and bodies: unfinished headers, empty lines, chunk extensions."""
_MAX_PIPELINED_REQUESTS = 16
"""Requests that may arrive on one connection before the first of them is answered."""


class _HeaderTooLargeError(Exception):
    """A request's target and headers exceed their limits."""


class HttpProtocol(HttpToolsProtocol):
    """An HTTP connection that is counted, and closed when its client is too slow or sends too much."""

    _header_timer: asyncio.TimerHandle | None = None
    _in_header = False
    _header_bytes = 0
    _chunk_bytes = 0
    """Size of the chunk of data that is being parsed."""
    _overhead_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection if the limits allow it, and abort it otherwise."""
        super().connection_made(transport)
        self._stall_timer = WriteStallTimer(self.loop, transport)
        self._cycles: deque[RequestResponseCycle] = deque()
        transport.set_write_buffer_limits(0)  # pause_writing() is called for every byte that cannot leave at once
        host = self.client[0] if self.client else None
        connections = connections_of(self.app_state)
        if connections.is_proxy(host):
            self.app_state = {**self.app_state, PROXIED: True}
        if connections.admit(transport, host):
            self._expect_header()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection and cancel its unanswered requests."""
        connections_of(self.app_state).release(self.transport)
        self._cancel_timers()
        self._cancel_requests()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a chunk of data, then close the connection if it exceeds a limit."""
        if self.transport.is_closing():
            return
        if self._header_timer is None and (self.cycle is None or self.cycle.response_complete):
            self._expect_header()
        self._chunk_bytes = len(data)
        self._overhead_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing() or self.parser is None:  # refused, or upgraded to a WebSocket
            return
        if self._overhead_bytes > _MAX_OVERHEAD_BYTES:
            if self._in_header:
                self._refuse_header()
            else:
                self._refuse(413, "this request has too many empty lines or chunk extensions")

    def on_message_begin(self) -> None:
        """Start counting the headers of a new request."""
        super().on_message_begin()
        self._in_header = True
        self._header_bytes = 0
        self._overhead_bytes = self._chunk_bytes

    def on_url(self, url: bytes) -> None:
        """Add to the request's target."""
        super().on_url(url)
        self._count_header(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header. Ignore trailers after a body: the base class would take them for headers."""
        if self._in_header:
            super().on_header(name, value)
            self._count_header(len(name) + len(value))

    def on_headers_complete(self) -> None:
        """Start answering the request, or queue it behind the one that is being answered."""
        if len(self.pipeline) >= _MAX_PIPELINED_REQUESTS:
            raise _HeaderTooLargeError
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
        self._in_header = False
        self._overhead_bytes = self._chunk_bytes
        super().on_headers_complete()
        while self._cycles and self._cycles[0].response_complete:
            self._cycles.popleft()
        if self.cycle is not None and (not self._cycles or self._cycles[-1] is not self.cycle):
            self._cycles.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        """Add to the body. A chunked body may have twice its size in chunk headers."""
        super().on_body(body)
        self._overhead_bytes = max(0, self._overhead_bytes - 2 * len(body))

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be parsed, with 431 if its headers are too large."""
        if self.transport.is_closing():
            return
        if self._header_bytes > _MAX_HEADER_BYTES or len(self.headers or ()) > _MAX_HEADERS:
            self._refuse_header()
        else:
            super().send_400_response(msg)
            self._cancel_requests()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol, unless an earlier request still uses it."""
        if (self.cycle is not None and not self.cycle.response_complete) or self.transport.get_write_buffer_size():
            self._close()
        elif self.scope["method"] != "GET" or self.scope["http_version"] != "1.1":
            self.send_400_response("A WebSocket is opened with GET over HTTP/1.1.")
        else:
            self._cancel_timers()
            super().handle_websocket_upgrade()
            self.parser = None  # type: ignore[assignment]  # the parser refers to this protocol: break the cycle

    def pause_writing(self) -> None:
        """Start the timer for clients that stop reading."""
        super().pause_writing()
        self._stall_timer.start()

    def resume_writing(self) -> None:
        """Stop the timer: all data have left."""
        super().resume_writing()
        self._stall_timer.stop()

    def _count_header(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > _MAX_HEADER_BYTES or len(self.headers) > _MAX_HEADERS:
            raise _HeaderTooLargeError

    def _expect_header(self) -> None:
        self._header_timer = self.loop.call_later(HEADER_TIMEOUT_SECONDS, self._close)

    def _refuse_header(self) -> None:
        self._refuse(431, "the address and the headers of this request are too large")

    def _refuse(self, status: int, message: str) -> None:
        self.transport.write(closing_response(status, "too_large", message))
        self._close()

    def _close(self) -> None:
        self._cancel_requests()
        self.transport.close()

    def _cancel_requests(self) -> None:
        """Cancel requests that are being answered, and drop those that wait."""
        self.pipeline.clear()
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _cancel_timers(self) -> None:
        self._stall_timer.stop()
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
