"""WebSockets: one for each viewer of a match. What is saved is told at once to everybody, to each what they may see."""

from __future__ import annotations

import asyncio
import logging
import re
import time

from pydantic import ValidationError

from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.matches import Authority, Match, visibility
from limina.server.web.asgi import Message, Receive, Send
from limina.server.web.rate_limits import RateLimits, client_of, too_many
from limina.server.web.rooms import Room, Viewer, state_message
from limina.server.wire.encoding import complaint, dump, error
from limina.server.wire.messages import CLIENT_MESSAGE, AskLegal, AskPreview, Hello, Ping, PlayTurn

MOST_BYTES = 16 * 1024
_MOST_REFUSED = 200
"""Whoever goes on sending after so many refusals is shown the door."""
_HELLO_SECONDS = 20.0
_PATH = re.compile(r"/api/matches/([A-Za-z0-9_-]{6,32})/live")
_LOG = logging.getLogger("limina.server")


class Sockets:
    """All sockets, as an ASGI application."""

    def __init__(self, authority: Authority, limits: RateLimits) -> None:
        self._authority = authority
        self._limits = limits
        self._rooms: dict[Match, Room] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one socket from its opening to its end."""
        await receive()  # the wish to connect
        found = _PATH.fullmatch(scope["path"])
        if found is None:
            await send({"type": "websocket.close", "code": 4404, "reason": "there is nothing here"})
            return
        await send({"type": "websocket.accept"})
        client = client_of(scope)
        try:
            with self._limits.socket(client, found[1]):
                await self._stay(found[1], Viewer(send, self._limits.messages(client)), receive)
        except RefusedError as caught:
            said = dump({"type": "refused", "key": None, **error(caught.code, str(caught))})
            await send({"type": "websocket.send", "text": said.decode()})
            await send({"type": "websocket.close", "code": 1013, "reason": "too many"})

    async def _stay(self, match_id: str, viewer: Viewer, receive: Receive) -> None:
        sending = asyncio.create_task(viewer.send_on())
        receiving = asyncio.create_task(self._serve(match_id, viewer, receive))
        done, pending = await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        if receiving in done and sending in pending:
            # Refused: the reason is on its way. Gone: sending will fail, and that is all right.
            viewer.close(1000, "")
            await asyncio.wait((sending,), timeout=1)
        for task in (sending, receiving):
            task.cancel()
        results = await asyncio.gather(sending, receiving, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and task_failed(result):
                _LOG.error("a socket failed: %s", type(result).__name__)

    async def _serve(self, match_id: str, viewer: Viewer, receive: Receive) -> None:
        match: Match | None = None
        refused = 0
        try:
            while True:
                # Whoever says nothing at first is not waited for; later, silence is all right.
                event = await (receive() if match else asyncio.wait_for(receive(), _HELLO_SECONDS))
                if event["type"] != "websocket.receive":
                    return
                raw = event.get("text") or event.get("bytes") or ""
                wait = viewer.messages.take(time.monotonic())
                if wait:
                    refused += 1
                    if refused > _MOST_REFUSED:
                        viewer.close(1008, "too many messages")
                        return
                try:
                    message = CLIENT_MESSAGE.validate_json(raw)
                except ValidationError as wrong:
                    said = complaint(wrong.errors(include_url=False, include_input=False, include_context=False))
                    viewer.send(dump({"type": "refused", "key": None, **error("unreadable", said)}))
                    continue
                if wait:
                    viewer.refuse(getattr(message, "key", None), too_many("that was too much at once", wait))
                    continue
                if match is None:
                    if not isinstance(message, Hello):
                        viewer.send(dump({"type": "refused", "key": None, **error("unreadable", "say hello first")}))
                        continue
                    try:
                        found = await self._authority.find(match_id)
                        visibility.check_admitted(found, found.seats_of(message.keys))
                        match = found
                    except LiminaError as caught:
                        viewer.refuse(None, caught)
                        return
                    self._enter(match, viewer)
                await self._answer(match, viewer, message)
        finally:
            if match is not None:
                self._leave(match, viewer)

    async def _answer(
        self, match: Match, viewer: Viewer, message: Hello | PlayTurn | AskPreview | AskLegal | Ping
    ) -> None:
        match message:
            case PlayTurn():
                try:
                    turn = message.seat, message.number, message.turn, message.key
                    played = await self._authority.play(match, viewer.mine, *turn)
                    viewer.send(dump({"type": "played", **visibility.played(message.key, played)}))
                except LiminaError as caught:
                    viewer.refuse(message.key, caught)
            case AskPreview():
                try:
                    found = visibility.preview(match, viewer.mine, message.seat, message.turn)
                    answer = {"type": "preview", "key": message.key, "version": match.version, "preview": found}
                    viewer.send(dump(answer))
                except LiminaError as caught:
                    viewer.refuse(message.key, caught)
            case AskLegal():
                try:
                    visibility.check_mine(viewer.mine, message.seat)
                    turns = visibility.legal_turns(match, message.seat)
                    answer = {"type": "legal", "key": message.key, "version": match.version, "seat": message.seat}
                    viewer.send(dump({**answer, "legal": turns}))
                except LiminaError as caught:
                    viewer.refuse(message.key, caught)
            case Hello():
                viewer.mine = match.seats_of(message.keys)
                viewer.legal = message.legal
                if not match.admits(viewer.mine):
                    viewer.close(1012, "please come back")
                elif message.version == match.version:
                    viewer.send(dump({"type": "current", "version": match.version}))
                else:
                    viewer.send(state_message(match, viewer))
            case Ping():
                viewer.send(b'{"type":"pong"}')

    def _enter(self, match: Match, viewer: Viewer) -> None:
        room = self._rooms.get(match)
        if room is None:
            room = self._rooms[match] = Room(match)
        room.viewers.add(viewer)

    def _leave(self, match: Match, viewer: Viewer) -> None:
        room = self._rooms[match]
        room.viewers.discard(viewer)
        if not room.viewers:
            match.listeners.discard(room.changed)
            del self._rooms[match]


def task_failed(result: Exception) -> bool:
    """Whether this is worth a line in the log: a connection that went away is not."""
    return not isinstance(result, OSError | TimeoutError) and "Disconnect" not in type(result).__name__
