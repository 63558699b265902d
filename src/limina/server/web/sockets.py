"""WebSockets: one for each viewer of a match. What is saved is told at once to everybody, to each what they may see."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import ExitStack, suppress

from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.matches import LoadedMatch, visibility
from limina.server.web.asgi import Message, Receive, Send
from limina.server.web.rate_limits import client_of
from limina.server.web.services import Services
from limina.server.web.sessions import Reader, Session
from limina.server.web.socket_protocol import CONNECTION, SocketProtocol
from limina.server.web.viewers import Room, Viewer
from limina.server.wire.encoding import dump, error
from limina.server.wire.messages import Hello

_HELLO_SECONDS = 10.0
_GOODBYE_SECONDS = 1.0
"""What the last words may take to leave."""
_MAX_WAITING_MESSAGES = 4
"""Messages of a socket that may wait for an answer before no more are read."""
_LOG = logging.getLogger("limina.server")
_PATH = re.compile(r"/api/matches/([A-Za-z0-9_-]{6,32})/live")


class Sockets:
    """All sockets, as an ASGI application."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._authority = services.authority
        self._limits = services.limits
        self._origins = services.origins
        self._metrics = services.metrics
        self._rooms: dict[LoadedMatch, Room] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one socket from its opening to its end."""
        try:
            await self._open(scope, receive, send)
        except OSError:
            pass  # the client is gone
        except Exception as error:
            _LOG.error("a socket failed", exc_info=error)

    async def _open(self, scope: Message, receive: Receive, send: Send) -> None:
        await receive()  # the wish to connect
        client = client_of(scope)
        CURRENT_CLIENT.set(client)
        with ExitStack() as held:
            try:
                self._limits.take(client, "new_connection")
                held.enter_context(self._limits.connection_of(scope))
                self._origins.check(scope)
            except RefusedError as caught:
                self._metrics.refused.labels(caught.code).inc()
                await _deny(send, 403 if caught.code == "forbidden" else 429, caught)
                return
            found = _PATH.fullmatch(scope["path"])
            if found is None:
                await send({"type": "websocket.close", "code": 4404, "reason": "there is nothing here"})
                return
            connection: SocketProtocol = scope["state"][CONNECTION]
            connection.byte_budget = self._limits.bucket("socket_byte", client)
            await send({"type": "websocket.accept"})
            await self._stay(found[1], Viewer(connection, client, self._limits), connection, receive)

    async def _stay(self, match_id: str, viewer: Viewer, connection: SocketProtocol, receive: Receive) -> None:
        connection.on_writable = viewer.wake
        try:
            await self._serve(match_id, viewer, receive)
        finally:
            # Refused: the reason is on its way. Gone: nobody hears it, and that is all right.
            viewer.close(1000, "")
            with suppress(TimeoutError):
                async with asyncio.timeout(_GOODBYE_SECONDS):
                    await connection.writable.wait()
            viewer.leave()
            connection.on_writable = None

    async def _serve(self, match_id: str, viewer: Viewer, receive: Receive) -> None:
        reader = Reader(self._services, viewer)
        try:
            with self._limits.hold("socket_before_hello", viewer.client):
                # Whoever says nothing at first is not waited for; later, silence is all right.
                async with asyncio.timeout(_HELLO_SECONDS):
                    hello = await _first(viewer, reader, receive)
            if hello is None:
                return
            loaded = await self._authority.find(match_id)
            mine = loaded.match.seats_of(hello.keys)
            visibility.check_admitted(loaded.match, mine)
            viewer.sit(loaded.match, mine)
        except LiminaError as caught:
            reader.refuse(None, caught)
            if isinstance(caught, RefusedError) and caught.code == "too_many":
                viewer.close(1013, "too many")
            return
        # From here to its first state nothing is waited for: no update comes before that.
        self._enter(loaded, viewer)
        session = Session(self._services, loaded, viewer, reader)
        try:
            session.greet(hello, mine)
            while (event := await receive())["type"] == "websocket.receive":
                if session.receive(_content(event)) > _MAX_WAITING_MESSAGES:
                    await session.finish()
            await session.finish()
        finally:
            self._leave(loaded, viewer)

    def _enter(self, loaded: LoadedMatch, viewer: Viewer) -> None:
        room = self._rooms.get(loaded)
        if room is None:
            room = self._rooms[loaded] = Room(loaded, self._services.states)
        room.viewers.add(viewer)
        self._authority.watch(loaded)

    def _leave(self, loaded: LoadedMatch, viewer: Viewer) -> None:
        room = self._rooms[loaded]
        room.viewers.discard(viewer)
        if not room.viewers:
            loaded.subscribers.discard(room.changed)
            del self._rooms[loaded]


async def _first(viewer: Viewer, reader: Reader, receive: Receive) -> Hello | None:
    """The hello, or None where nothing comes any more."""
    while (event := await receive())["type"] == "websocket.receive":
        said = reader.read(_content(event), hello=True)
        if isinstance(said, Hello):
            return said
        if said is not None:
            viewer.say({"type": "refused", "key": None, **error("unreadable", "say hello first")})
    return None


def _content(event: Message) -> str | bytes:
    """Return the text or the bytes of a message."""
    content: str | bytes | None = event.get("text")
    return event["bytes"] if content is None else content


async def _deny(send: Send, status: int, caught: RefusedError) -> None:
    """Refuse a socket before it is one, which costs the least."""
    headers = [(b"content-type", b"application/json")]
    if caught.retry is not None:
        headers.append((b"retry-after", str(caught.retry).encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": dump(error(caught.code, str(caught)))})
