"""A connection that has become a WebSocket, with an end to everything.

Frames of every kind are counted by their number and size before they are read, for the client and not for the
connection. A whole message in one short frame, which is nearly all that comes, is read here; everything else is left to
a library that knows all of the protocol. Whoever does not read what they are sent is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side

from limina.server.web.asgi import Asgi, Message
from limina.server.web.connections import connections_of
from limina.server.web.frames import FrameCounter, whole_message
from limina.server.web.handshake import closing_response
from limina.server.web.inbox import Inbox
from limina.server.web.rate_limits import RateLimits, TokenBucket, client_of

if TYPE_CHECKING:
    from limina.server.web.viewers import Viewer

MOST_BYTES = 16 * 1024
"""Of a message."""
STALLED_SECONDS = 10.0
"""How long nothing may be read of what was sent."""
LINGER_SECONDS = 2.0
"""How long a goodbye may take."""
_PING_SECONDS = 20.0
"""How often it is asked whether anybody is there; and so long they have for an answer."""
_MOST_FRAMES_AT_ONCE = 128
"""In what is read in one piece, so that reading it keeps nobody waiting."""
_MOST_TOGETHER = 64 * 1024
"""Bytes that are put together before they are written."""
_MOST_WAITING = 4
"""Messages of a socket that wait to be answered before nothing more is read of it."""
_MOST_PARTS = 64
"""Frames of one message."""
_LOG = logging.getLogger("limina.server")
_QUIET = logging.getLogger("limina.server.frames")
_QUIET.setLevel(logging.CRITICAL)

Receiver = Callable[[str | bytes], int]
"""Takes a message and says how many wait to be answered."""


class SocketConnection(asyncio.Protocol):
    """One socket: an ASGI application opens it, and then messages go straight to whoever answers them."""

    viewer: Viewer | None = None
    """Whoever is at the other end, once there is a socket."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transport: asyncio.Transport,
        server_state: ServerState,
        app_state: dict[str, Any],
    ) -> None:
        self._loop = loop
        self._transport = transport
        self._server_state = server_state
        self._app_state = app_state
        self._accepted = b""
        """What is said to open the socket."""
        self._scope: Message = {}
        self._opened = False
        self._goodbye = False
        """Whether it was said, or never will be."""
        self._denied: tuple[int, bytes] | None = None
        self._bucket: TokenBucket | None = None
        self._counter = FrameCounter()
        self._protocol: Protocol | None = None
        """For what is not a whole message in one frame; most never need it."""
        self._parts: list[bytes] = []
        """Of a message that has not come to its end."""
        self._text = True
        """Whether that is text."""
        self._events = Inbox()
        self._receiver: Receiver | None = None
        self._reading_paused = False
        self._leaving: list[bytes] = []
        self._size = 0
        """Of what is leaving, in bytes."""
        self._stalled: asyncio.TimerHandle | None = None
        self._emptied: asyncio.Future[None] | None = None
        self._ping_timer: asyncio.TimerHandle | None = None
        self._ping: bytes | None = None
        """What was asked and is not answered yet."""
        self._lingering: asyncio.TimerHandle | None = None
        self._lost = False
        """Whether there is no connection any more."""

    # --- opening

    def open(self, app: Asgi, scope: Message, accepted: bytes) -> None:
        """Let the application decide about it, which knows it by its state."""
        self._server_state.connections.add(self)  # type: ignore[arg-type]  # it is all that one needs to be
        self._accepted = accepted
        self._scope = {**scope, "state": {**self._app_state, "connection": self}}
        self._events.put_nowait({"type": "websocket.connect"})
        task = self._loop.create_task(self._run(app, self._scope))
        self._server_state.tasks.add(task)
        task.add_done_callback(self._server_state.tasks.discard)

    async def _run(self, app: Asgi, scope: Message) -> None:
        try:
            await app(scope, self.receive, self.send)
        except OSError:
            pass  # they went away
        except Exception as error:
            _LOG.error("a socket failed", exc_info=error)
        if self._goodbye and not self._transport.is_closing():
            return  # theirs is waited for
        self._transport.close()
        self._linger()

    async def receive(self) -> Message:
        """The next event; where several wait already, others have their turn between them."""
        if not self._events.empty():
            await asyncio.sleep(0)
        event: Message = await self._events.get()
        self.read_on(self._events.qsize())
        return event

    async def send(self, message: Message) -> None:
        """Open the socket, or say why not."""
        kind = message["type"]
        if self._transport.is_closing():
            raise ConnectionResetError
        if kind == "websocket.accept":
            limits: RateLimits = self._app_state["limits"]
            self._bucket = limits.frames(client_of(self._scope))  # a proxy's word may have changed who that is
            self._opened, self._scope = True, {}
            self._transport.write(self._accepted)
            self._ping_timer = self._loop.call_later(_PING_SECONDS, self._ask_whether_there)
        elif kind == "websocket.http.response.start":
            headers = b"".join(b"%b: %b\r\n" % header for header in message["headers"])
            self._denied = message["status"], headers
        elif kind == "websocket.http.response.body" and self._denied is not None:
            status, headers = self._denied
            self._deny(closing_response(status, headers, message["body"]))
        elif kind == "websocket.close" and not self._opened:
            self._deny(closing_response(403, b"", b""))
        else:
            raise ValueError(kind)

    def _deny(self, response: bytes) -> None:
        self._ended()
        self._transport.write(response)
        self._transport.close()
        self._linger()

    # --- what comes

    def deliver_to(self, receiver: Receiver) -> None:
        """From now on every message goes there, and only the end is an event."""
        events = [self._events.get_nowait() for _ in range(self._events.qsize())]
        self._receiver = receiver
        waiting = 0
        for event in events:
            if event["type"] == "websocket.receive":
                waiting = receiver(event.get("text") or event.get("bytes") or "")
            else:
                self._events.put_nowait(event)
        self.read_on(waiting)

    def read_on(self, waiting: int) -> None:
        """So many messages that have come wait still: if there are none, more may come."""
        if self._reading_paused and not waiting:
            self._reading_paused = False
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Count what comes before it is read: frames of every kind, and bytes."""
        if self._transport.is_closing():
            return
        if not self._opened:
            self._transport.abort()  # nobody may speak before the socket is open
            return
        whole = None if self._goodbye or self._counter.within or self._parts else whole_message(data)
        frames = 1 if whole is not None else self._counter.count(data, _MOST_FRAMES_AT_ONCE)
        assert self._bucket is not None  # it is open
        if frames > _MOST_FRAMES_AT_ONCE or self._bucket.take(time.monotonic(), frames + len(data) / 1024):
            if self._goodbye:
                self._transport.abort()  # they have heard it already
            else:
                self.end(1008, "too much at once")
        elif whole is not None:
            self._take(whole)
        else:
            self._feed(data)

    def _take(self, message: str | bytes) -> None:
        """Hand on a message. Reading goes on until several wait: to stop and begin again costs as much as a message."""
        if self._receiver is not None:
            waiting = self._receiver(message)
        else:
            kind = "text" if isinstance(message, str) else "bytes"
            self._events.put_nowait({"type": "websocket.receive", kind: message})
            waiting = self._events.qsize()
        if waiting > _MOST_WAITING and not self._reading_paused:
            self._reading_paused = True
            self._transport.pause_reading()

    def _feed(self, data: bytes) -> None:
        """Leave it to the library."""
        protocol = self._speaker()
        protocol.receive_data(data)
        for frame in protocol.events_received():
            assert isinstance(frame, Frame)
            if frame.opcode is Opcode.PONG:
                self._ping = None if bytes(frame.data) == self._ping else self._ping
            elif frame.opcode is Opcode.CLOSE:
                self._ended()
            elif frame.opcode is not Opcode.PING and not self._goodbye:
                self._add(frame)
        if protocol.parser_exc is not None:
            self._ended()
        self._flush()
        if protocol.close_rcvd is not None or protocol.parser_exc is not None:
            self._transport.close()
            self._linger()

    def _add(self, frame: Frame) -> None:
        """A message, or a part of one."""
        if frame.opcode is not Opcode.CONT:
            self._parts, self._text = [], frame.opcode is Opcode.TEXT
        self._parts.append(bytes(frame.data))
        if len(self._parts) > _MOST_PARTS:
            self.end(1009, "too many parts")
        elif frame.fin:
            data, self._parts = b"".join(self._parts), []
            try:
                message = data.decode() if self._text else data
            except UnicodeDecodeError:
                self.end(1007, "this is not text")
            else:
                self._take(message)

    def _speaker(self) -> Protocol:
        if self._protocol is None:
            self._protocol = Protocol(Side.SERVER, max_size=MOST_BYTES, logger=_QUIET)
        return self._protocol

    # --- what leaves

    def tell(self, frame: bytes) -> bool:
        """Send a frame, if it can leave now; whether it could.

        What is told at the same time leaves together: an update, and the answer to the turn in it.
        """
        if self._stalled is not None or self._goodbye:
            return False
        if not self._leaving:
            self._loop.call_soon(self._write)
        self._leaving.append(frame)
        self._size += len(frame)
        if self._size > _MOST_TOGETHER:
            self._write()
        return True

    def _write(self) -> None:
        frames, self._leaving, self._size = self._leaving, [], 0
        if frames and not self._transport.is_closing():
            self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def _flush(self) -> None:
        """Write what the library wants to say."""
        if not self._transport.is_closing() and (said := b"".join(self._speaker().data_to_send())):
            self._transport.write(said)

    async def emptied(self, seconds: float) -> None:
        """Wait until everything has left, but no longer than this."""
        if self._stalled is None or self._transport.is_closing():
            return
        self._emptied = self._loop.create_future()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._emptied

    def pause_writing(self) -> None:
        """Nothing more can be sent: whoever does not read on is cut off."""
        if self._stalled is None:
            self._stalled = self._loop.call_later(STALLED_SECONDS, self._transport.abort)

    def resume_writing(self) -> None:
        """They read on."""
        self._moving()
        if self.viewer is not None:
            self.viewer.wake()

    def _moving(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        if self._emptied is not None and not self._emptied.done():
            self._emptied.set_result(None)

    # --- the end

    def seat(self, seated: bool) -> None:
        """Whoever is at the other end holds a seat, or does not: then this one is the first to make way."""
        connections_of(self._app_state).seat(self._transport, seated)

    def close(self, code: int, reason: str) -> None:
        """Say goodbye after everything that was told, and wait for theirs."""
        if self._say_goodbye(code, reason):
            self.read_on(0)
            self._linger()

    def end(self, code: int, reason: str) -> None:
        """Say goodbye and go, whether or not it is heard."""
        self._say_goodbye(code, reason)
        self._transport.close()
        self._linger()

    def shutdown(self) -> None:
        """The server stops."""
        self.end(1012, "")

    def _say_goodbye(self, code: int, reason: str) -> bool:
        """Whether it was not said before."""
        if self._goodbye or not self._opened or self._transport.is_closing():
            return False
        self._write()
        self._speaker().send_close(code, reason)
        self._flush()
        self._ended()
        return True

    def _ended(self) -> None:
        """Nothing more is told, and nothing that comes is a message any more."""
        if not self._goodbye:
            self._goodbye = True
            self._events.put_nowait({"type": "websocket.disconnect"})

    def _linger(self) -> None:
        if self._lingering is None and not self._lost:
            self._lingering = self._loop.call_later(LINGER_SECONDS, self._transport.abort)

    def _ask_whether_there(self) -> None:
        if self._goodbye or self._transport.is_closing():
            return
        if self._ping is not None:
            self.end(1011, "nobody answers")
            return
        self._ping = secrets.token_bytes(4)
        self._speaker().send_ping(self._ping)
        self._flush()
        self._ping_timer = self._loop.call_later(_PING_SECONDS, self._ask_whether_there)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._lost = True
        connections_of(self._app_state).leave(self._transport)
        self._server_state.connections.discard(self)
        self._moving()
        # A timer would keep it until its time has come, and with it those of everybody who comes and goes.
        for timer in (self._ping_timer, self._lingering):
            if timer is not None:
                timer.cancel()
        self._ended()
        # What holds us in turn would have to be looked for before it is freed.
        self._receiver, self._scope = None, {}
        if self._protocol is not None:
            self._protocol.parser.close()
