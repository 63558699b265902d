"""WebSockets: one for each viewer of a match. What is saved is told at once to everybody, to each what they may see."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from contextlib import ExitStack

from pydantic import ValidationError

from limina.errors import LiminaError
from limina.server.errors import RefusedError, code_of
from limina.server.jobs import CURRENT_CLIENT
from limina.server.matches import Match, visibility
from limina.server.web.asgi import Message, Receive, Send
from limina.server.web.protocols import SocketConnection
from limina.server.web.rate_limits import client_of
from limina.server.web.services import Services
from limina.server.web.viewers import Room, Viewer
from limina.server.wire.encoding import complaint, dump, error, framed
from limina.server.wire.messages import CLIENT_MESSAGE, AskLegal, AskPreview, Hello, Ping, PlayTurn

MOST_BYTES = 16 * 1024
_MOST_REFUSED = 200
"""Whoever goes on sending after so many refusals is shown the door."""
_HELLO_SECONDS = 10.0
_GOODBYE_SECONDS = 1.0
"""What the last words may take to leave."""
_PONG = framed(b'{"type":"pong"}')
_COSTS: dict[type, int] = {Ping: 1, PlayTurn: 1, AskLegal: 2, AskPreview: 3, Hello: 4}
"""By the time that they take, a turn excepted: that is what the server is there for."""
_PATH = re.compile(r"/api/matches/([A-Za-z0-9_-]{6,32})/live")
_LOG = logging.getLogger("limina.server")


class Sockets:
    """All sockets, as an ASGI application."""

    def __init__(self, services: Services) -> None:
        self._authority = services.authority
        self._limits = services.limits
        self._states = services.states
        self._origins = services.origins
        self._metrics = services.metrics
        self._rooms: dict[Match, Room] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one socket from its opening to its end."""
        await receive()  # the wish to connect
        found = _PATH.fullmatch(scope["path"])
        if found is None:
            await send({"type": "websocket.close", "code": 4404, "reason": "there is nothing here"})
            return
        client = client_of(scope)
        CURRENT_CLIENT.set(client)
        with ExitStack() as held:
            try:
                self._origins.check(scope)
                self._limits.opening(client)
                held.enter_context(self._limits.connection_of(scope))
            except RefusedError as caught:
                self._metrics.refused.labels(caught.code).inc()
                await _deny(send, 403 if caught.code == "forbidden" else 429, caught)
                return
            await send({"type": "websocket.accept"})
            connection: SocketConnection = scope["state"]["connection"]
            await self._stay(found[1], Viewer(connection, client, self._limits), connection, receive)

    async def _stay(self, match_id: str, viewer: Viewer, connection: SocketConnection, receive: Receive) -> None:
        connection.viewer = viewer
        try:
            await self._serve(match_id, viewer, receive)
        except OSError:
            pass  # they went away
        except Exception as error:
            _LOG.error("a socket failed", exc_info=error)
        finally:
            # Refused: the reason is on its way. Gone: nobody hears it, and that is all right.
            viewer.close(1000, "")
            await connection.emptied(_GOODBYE_SECONDS)
            viewer.leave()
            connection.viewer = None

    async def _serve(self, match_id: str, viewer: Viewer, receive: Receive) -> None:
        try:
            with self._limits.greeting(viewer.client):
                # Whoever says nothing at first is not waited for; later, silence is all right.
                async with asyncio.timeout(_HELLO_SECONDS):
                    hello = await self._first(viewer, receive)
            if hello is None:
                return
            match = await self._authority.find(match_id)
            mine = match.seats_of(hello.keys)
            visibility.check_admitted(match, mine)
            viewer.sit(match, mine)
        except LiminaError as caught:
            self._refuse(viewer, None, caught)
            if isinstance(caught, RefusedError) and caught.code == "too_many":
                viewer.close(1013, "too many")
            return
        # From here to its first state nothing is waited for: no update comes before that.
        self._enter(match, viewer)
        try:
            self._greet(match, viewer, hello, mine)
            while (message := await self._next(viewer, receive)) is not None:
                await self._answer(match, viewer, message)
        finally:
            self._leave(match, viewer)

    async def _first(self, viewer: Viewer, receive: Receive) -> Hello | None:
        """The hello, or None where nothing comes any more."""
        while True:
            message = await self._next(viewer, receive, hello=True)
            if message is None or isinstance(message, Hello):
                return message
            viewer.say({"type": "refused", "key": None, **error("unreadable", "say hello first")})

    async def _next(
        self, viewer: Viewer, receive: Receive, *, hello: bool = False
    ) -> Hello | PlayTurn | AskPreview | AskLegal | Ping | None:
        """The next message that can be read and is not too much, or None where nothing comes any more."""
        while True:
            event = await receive()
            if event["type"] != "websocket.receive":
                return None
            try:
                message = CLIENT_MESSAGE.validate_json(event.get("text") or event.get("bytes") or "")
            except ValidationError as wrong:
                message = None
                said = complaint(wrong.errors(include_url=False, include_input=False, include_context=False))
            try:
                self._limits.message(viewer.client, _COSTS.get(type(message), 1))
            except RefusedError as caught:
                if hello and isinstance(message, Hello):
                    raise  # they would wait for an answer that never comes
                viewer.refused += 1
                if viewer.refused > _MOST_REFUSED:
                    viewer.close(1008, "too many messages")
                    return None
                self._refuse(viewer, getattr(message, "key", None), caught)
                continue
            if message is not None:
                return message
            viewer.say({"type": "refused", "key": None, **error("unreadable", said)})

    async def _answer(
        self, match: Match, viewer: Viewer, message: Hello | PlayTurn | AskPreview | AskLegal | Ping
    ) -> None:
        match message:
            case PlayTurn():
                begun = time.monotonic()
                try:
                    turn = message.seat, message.number, message.turn, message.key
                    played = await self._authority.play(match, viewer.mine, *turn)
                    viewer.say({"type": "played", **visibility.played(message.key, played)})
                    self._metrics.turns.inc()
                    self._metrics.turn_seconds.observe(time.monotonic() - begun)
                except LiminaError as caught:
                    self._refuse(viewer, message.key, caught)
            case AskPreview():
                try:
                    found = visibility.preview(match, viewer.mine, message.seat, message.turn)
                    viewer.say({"type": "preview", "key": message.key, "version": match.version, "preview": found})
                except LiminaError as caught:
                    self._refuse(viewer, message.key, caught)
            case AskLegal():
                try:
                    visibility.check_mine(viewer.mine, message.seat)
                    turns = self._states.legal(match, message.seat)
                    answer = {"type": "legal", "key": message.key, "version": match.version, "seat": message.seat}
                    viewer.say({**answer, "legal": turns})
                except LiminaError as caught:
                    self._refuse(viewer, message.key, caught)
            case Hello():
                try:
                    await self._authority.refresh(match)  # a key may be younger than what this process knows
                    self._greet(match, viewer, message, match.seats_of(message.keys))
                except LiminaError as caught:
                    self._refuse(viewer, None, caught)
            case Ping():
                viewer.send(_PONG)

    def _greet(self, match: Match, viewer: Viewer, hello: Hello, mine: tuple[int, ...]) -> None:
        if not match.admits(mine):
            viewer.close(1012, "please come back")
            return
        if mine != viewer.mine:
            try:
                viewer.sit(match, mine)
            except RefusedError as caught:
                self._refuse(viewer, None, caught)
                viewer.close(1013, "too many")
                return
        viewer.legal = hello.legal
        if hello.version == match.version:
            viewer.say({"type": "current", "version": match.version})
        else:
            viewer.send(framed(self._states.message(match, mine, legal=hello.legal)))

    def _refuse(self, viewer: Viewer, key: str | None, caught: LiminaError) -> None:
        self._metrics.refused.labels(code_of(caught)).inc()
        viewer.refuse(key, caught)

    def _enter(self, match: Match, viewer: Viewer) -> None:
        room = self._rooms.get(match)
        if room is None:
            room = self._rooms[match] = Room(match, self._states)
        room.viewers.add(viewer)
        self._authority.attend(match)

    def _leave(self, match: Match, viewer: Viewer) -> None:
        room = self._rooms[match]
        room.viewers.discard(viewer)
        if not room.viewers:
            match.listeners.discard(room.changed)
            del self._rooms[match]


async def _deny(send: Send, status: int, caught: RefusedError) -> None:
    """Refuse a socket before it is one, which costs the least."""
    headers = [(b"content-type", b"application/json")]
    if caught.retry is not None:
        headers.append((b"retry-after", str(caught.retry).encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": dump(error(caught.code, str(caught)))})
