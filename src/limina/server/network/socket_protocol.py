"""uvicorn's WebSocket protocol with limits on what a client can make it read, hold or wait for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode

from limina.server.network.connections import connections_of
from limina.server.network.rate_limits import TokenBucket
from limina.server.network.write_stall import WriteStallTimer

MAX_MESSAGE_BYTES = 16 * 1024
CONNECTION = "connection"
"""Key of the protocol in the ASGI scope's state: the application sends messages through it."""
PING_SECONDS = 20.0
"""Interval of keepalive pings, and the time a client has to answer one."""
_CLOSE_TIMEOUT_SECONDS = 2.0
"""The time a client has to answer a close frame."""
_SLICE_BYTES = 4 * 1024
"""Bytes that are parsed before other connections get their share. An event loop delivers up to 256 kB at once."""
_MIN_READ_BYTES = 64
"""Minimum cost of a read, so that sending single bytes is not cheaper than sending a message."""
_MAX_WAITING_EVENTS = 4
"""Pause reading when more messages than this wait for the application."""
_WRITE_BUFFER_BYTES = 64 * 1024
"""Flush the messages of an iteration of the event loop when they exceed this size."""
_MAX_FRAGMENTS = 64
"""Upper bound of the frames of one message."""


class PreparedMessage:
    """A text message that is framed once for all clients that receive it."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    @cached_property
    def frame(self) -> bytes:
        """The message as one WebSocket frame."""
        return Frame(Opcode.TEXT, self._text).serialize(mask=False)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket connection whose client is throttled to its byte budget and disconnected if it does not read.

    The application sets `byte_budget` before it accepts the connection.
    """

    byte_budget: TokenBucket
    """Token bucket of all sockets of the client. Reading pauses while it is empty."""
    on_writable: Callable[[], None] | None = None
    """Callback for when messages can be sent again after `try_send` has returned False."""

    def __init__(self, config: Any, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, {**app_state, CONNECTION: self})
        self.close_timeout = _CLOSE_TIMEOUT_SECONDS
        self._connections = connections_of(app_state)
        self.read_paused = True  # the base class then leaves pausing to this one
        self._reading_paused = False
        self._unparsed = b""
        self._parse_handle: asyncio.Handle | None = None
        self._outgoing: list[bytes] = []
        self._outgoing_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the connection from the HTTP protocol, which has admitted it."""
        super().connection_made(transport)
        self._stall_timer = WriteStallTimer(self.loop, self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._connections.release(self.transport)
        self._stall_timer.stop()
        if self._parse_handle is not None:
            self._parse_handle.cancel()
        super().connection_lost(exc)
        # Break reference cycles: the garbage collector runs rarely (see gc_tuning).
        self.conn.parser.close()
        self.app_state = {}
        if self.handshake_initiated and self.conn.handshake_exc is None:
            self.scope["state"] = {}

    # --- receiving

    def data_received(self, data: bytes) -> None:
        """Parse data as far as the client's limit on bytes per second allows. The rest waits."""
        if self.transport.is_closing():
            return
        if not self.handshake_initiated:
            self._receive_handshake(data)
        elif not self.handshake_complete:
            self.transport.abort()  # a client has to wait until the handshake is complete
        elif self._unparsed:  # an event loop may deliver once more after pause_reading()
            self._unparsed += data
        else:
            self._unparsed = data
            self._parse()

    def _receive_handshake(self, request: bytes) -> None:
        super().data_received(request)
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def _parse(self) -> None:
        """Parse one slice of the data. The event loop serves other connections before the next slice."""
        self._parse_handle = None
        if self.transport.is_closing():
            return
        chunk = self._unparsed[:_SLICE_BYTES]
        wait = self.byte_budget.take(time.monotonic(), max(len(chunk), _MIN_READ_BYTES))
        if wait:
            self._parse_handle = self.loop.call_later(wait, self._parse)
        else:
            self._unparsed = self._unparsed[_SLICE_BYTES:]
            try:
                super().data_received(chunk)
            except InvalidState:  # invalid text and a close frame in one slice
                self.transport.abort()
        self._update_reading()

    def _update_reading(self) -> None:
        """Pause reading while too many parsed messages, or any unparsed data, wait. Resume it otherwise."""
        if self.transport.is_closing():
            return
        pause = self._parse_handle is not None or self.queue.qsize() > _MAX_WAITING_EVENTS
        if self._unparsed and not pause:
            self._parse_handle = self.loop.call_soon(self._parse)
            pause = True
        if pause != self._reading_paused:
            self._reading_paused = pause
            if pause:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    async def receive(self) -> Any:
        """Return the next event."""
        event = await self.queue.get()
        if self._reading_paused and self.queue.empty():
            self._update_reading()
        return event

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to the message, unless it has too many."""
        if len(self.frames) < _MAX_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.close(1009, "too many fragments")

    # --- sending

    def try_send(self, message: PreparedMessage) -> bool:
        """Send a message and return True; return False if earlier messages still wait to be sent."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        if not self._outgoing:
            self.loop.call_soon(self._flush)
        self._outgoing.append(message.frame)
        self._outgoing_bytes += len(message.frame)
        if self._outgoing_bytes > _WRITE_BUFFER_BYTES:
            self._flush()
        return True

    def _flush(self) -> None:
        """Write the messages of this iteration of the event loop together: often an update and an answer."""
        frames, self._outgoing, self._outgoing_bytes = self._outgoing, [], 0
        if frames and not self.transport.is_closing():
            self.transport.write(b"".join(frames))

    def pause_writing(self) -> None:
        """Start the timer for clients that stop reading."""
        super().pause_writing()
        self._stall_timer.start()

    def resume_writing(self) -> None:
        """Stop the timer and let the application send the messages that wait."""
        super().resume_writing()
        self._stall_timer.stop()
        if self.on_writable is not None:
            self.on_writable()

    # --- closing

    def close(self, code: int, reason: str) -> None:
        """Send a close frame after all earlier messages, then wait briefly for the client's close frame."""
        if self.close_sent or not self.handshake_complete or self.transport.is_closing():
            return
        self._flush()
        with suppress(InvalidState):  # the client's close frame is being handled
            self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
        self._update_reading()

    def shutdown(self) -> None:
        """Close the connection because the server stops."""
        if not self.transport.is_closing():
            super().shutdown()

    def set_seated(self, seated: bool) -> None:
        """Set whether the client holds a seat. Connections without a seat are evicted first."""
        self._connections.set_seated(self.transport, seated)
