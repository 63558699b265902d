"""The server's side of a connection, as uvicorn has it, with an end to everything that it lets go on for ever.

What comes in is counted before it is read: headers by their number, size and time, frames of every kind by their number
and size, for the client and not for the connection. Whoever does not read what they are sent is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from limina.server.web.connections import Connections
from limina.server.web.frames import FrameCounter, whole_message
from limina.server.web.inbox import Inbox
from limina.server.web.rate_limits import PROXIED, RateLimits, TokenBucket, client_of
from limina.server.wire.encoding import dump, error

if TYPE_CHECKING:
    from websockets.frames import Frame

    from limina.server.web.viewers import Viewer

HEAD_SECONDS = 10.0
"""What the address and the headers of a request may take to arrive."""
STALLED_SECONDS = 10.0
"""How long nothing may be read of what was sent."""
_LINGER_SECONDS = 2.0
"""How long a goodbye may take."""
_MOST_HEAD_BYTES = 16 * 1024
_MOST_HEADERS = 100
_MOST_IN_LINE = 16
"""Requests that are sent before the first is answered."""
_MOST_FRAMES_AT_ONCE = 256
"""In what is read in one piece, so that reading it keeps nobody waiting."""
_MOST_TOGETHER = 64 * 1024
"""Bytes that are put together before they are written."""
_MOST_WAITING = 4
"""Messages of a socket that wait to be answered before nothing more is read of it."""
_MOST_PARTS = 64
"""Frames of one message."""


class _HeadError(Exception):
    """The address and headers of a request are more than anybody needs."""


class HttpConnection(HttpToolsProtocol):
    """A connection that is asked for things over HTTP."""

    url = b""
    _late: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
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
        host = self.client[0] if self.client else None
        connections = _connections(self.app_state)
        if connections.is_for_others(host):
            self.app_state = {**self.app_state, PROXIED: True}
        if connections.admit(transport, host):
            self._expect_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        _connections(self.app_state).leave(self.transport)
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
        if self.transport.is_closing():
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
        """Read on, as long as there are not too many."""
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
        """From here on it is a socket's."""
        self._cancel()
        super().handle_websocket_upgrade()

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
        said = dump(error("too_large", sentence))
        self.transport.write(
            STATUS_LINE[status]
            + b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(said)
            + said
        )
        self._linger()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _linger(self) -> None:
        self._nobody_listens()
        self.transport.close()
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

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
        for timer in (self._late, self._stalled):
            if timer is not None:
                timer.cancel()
        self._late = self._stalled = None


class SocketConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    viewer: Viewer | None = None
    """Whoever is at the other end, once there is a socket."""
    _stalled: asyncio.TimerHandle | None = None
    _bucket: TokenBucket | None = None

    def __init__(self, *how: Any, **named: Any) -> None:
        super().__init__(*how, **named)
        self.queue = Inbox()  # type: ignore[assignment]  # has all that is used of the usual one
        self._counter = FrameCounter()
        self._leaving: list[bytes] = []
        self._size = 0
        """Of what is leaving, in bytes."""

    def tell(self, frame: bytes) -> bool:
        """Send a frame, if it can leave now; whether it could.

        What is told at the same time leaves together: an update, and the answer to the turn in it.
        """
        if self._stalled is not None or self.close_sent:
            return False
        if not self._leaving:
            self.loop.call_soon(self._write)
        self._leaving.append(frame)
        self._size += len(frame)
        if self._size > _MOST_TOGETHER:
            self._write()
        return True

    def _write(self) -> None:
        frames, self._leaving, self._size = self._leaving, [], 0
        if frames and not self.transport.is_closing():
            self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def close(self, code: int, reason: str) -> None:
        """Say goodbye after everything that was told, and wait for theirs."""
        if self.close_sent or self.transport.is_closing():
            return
        self._write()
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    async def emptied(self, seconds: float) -> None:
        """Wait until everything has left, but no longer than this."""
        if self.writable.is_set():
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.writable.wait()

    def seat(self, seated: bool) -> None:
        """Whoever is at the other end holds a seat, or does not: then this one is the first to make way."""
        _connections(self.app_state).seat(self.transport, seated)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        _connections(self.app_state).leave(self.transport)
        if self._stalled is not None:
            self._stalled.cancel()
        super().connection_lost(exc)

    def handle_connect(self, event: Any) -> None:
        """Open it; the application knows it by its state."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope)["state"]["connection"] = self

    def data_received(self, data: bytes) -> None:
        """Count what comes before it is read: frames of every kind, and bytes."""
        if self.transport.is_closing():
            return
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.abort()  # nobody may speak before the socket is open
            return
        if self.handshake_initiated and not self.close_sent:
            if self._bucket is None:
                limits: RateLimits = self.app_state["limits"]
                self._bucket = limits.frames(client_of(self.scope))
            whole = None if self._counter.within or self.frames else whole_message(data)
            frames = 1 if whole is not None else self._counter.count(data, _MOST_FRAMES_AT_ONCE)
            if frames > _MOST_FRAMES_AT_ONCE or self._bucket.take(time.monotonic(), frames + len(data) / 1024):
                self.end(1008, "too much at once")
                return
            if whole is not None:
                self._take(whole)
                return
        super().data_received(data)

    def _take(self, message: str) -> None:
        """Hand on a message. Reading goes on until several wait: to stop and begin again costs as much as a message."""
        self.queue.put_nowait({"type": "websocket.receive", "text": message})
        if not self.read_paused and self.queue.qsize() > _MOST_WAITING:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_cont(self, event: Frame) -> None:
        """One more part of a message."""
        if len(self.frames) >= _MOST_PARTS:
            self.end(1009, "too many parts")
        else:
            super().handle_cont(event)

    def end(self, code: int, reason: str) -> None:
        """Say goodbye and go, whether or not it is heard."""
        if not self.close_sent and self.handshake_complete:
            self.conn.fail(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.close()
        self._linger()

    def pause_writing(self) -> None:
        """Nothing more can be sent: whoever does not read on is cut off."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """They read on."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        if self.viewer is not None:
            self.viewer.wake()

    def shutdown(self) -> None:
        """The server stops."""
        self._write()
        super().shutdown()
        self._linger()

    def keepalive_timeout(self) -> None:
        """No answer: whoever is there no longer reads either."""
        super().keepalive_timeout()
        self._linger()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The application has done its part."""
        super().on_task_complete(task)
        self._linger()

    def _linger(self) -> None:
        if not self.disconnected:
            self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    async def receive(self) -> Any:
        """The next message; where several wait already, others have their turn between them."""
        if not self.queue.empty():
            await asyncio.sleep(0)
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        return message

    async def send(self, message: Any) -> None:
        """Send a message, as long as goodbye was not said."""
        await self.writable.wait()
        if self.close_sent and self.handshake_complete:
            raise ClientDisconnected
        await super().send(message)


def _connections(app_state: dict[str, Any]) -> Connections:
    found: Connections = app_state["connections"]
    return found
