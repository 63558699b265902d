"""WebSockets: one for each viewer of a match. What is saved is told at once to everybody, to each what they may see."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from typing import Any

from pydantic import ValidationError

from limina.errors import LiminaError
from limina.server.errors import RefusedError, code_of
from limina.server.matches import Authority, Match, Situation, visibility
from limina.server.web.asgi import Message, Receive, Send
from limina.server.web.rate_limits import RateLimits, TokenBucket, client_of, too_many
from limina.server.wire.encoding import Fragment, complaint, dump, error, fragment
from limina.server.wire.messages import CLIENT_MESSAGE, AskLegal, AskPreview, Hello, Ping, PlayTurn

MOST_BYTES = 16 * 1024
_MOST_WAITING = 500
"""Messages in an outbox; whoever reads them more slowly than they come has to come back."""
_MOST_REFUSED = 200
"""Whoever goes on sending after so many refusals is shown the door."""
_HELLO_SECONDS = 20.0
_PATH = re.compile(r"/api/matches/([A-Za-z0-9_-]{6,32})/live")
_LOG = logging.getLogger("limina.server")


class Viewer:
    """Whoever is at the other end of a socket."""

    def __init__(self, send: Send, messages: TokenBucket) -> None:
        self.mine: tuple[int, ...] = ()
        self.legal = True
        self.messages = messages
        self._send = send
        self._outbox: list[Message] = []
        self._wake = asyncio.Event()
        self._closing = False

    def send(self, message: bytes) -> None:
        """Send this after everything that was said before; never waits."""
        if len(self._outbox) >= _MOST_WAITING:
            self.close(1013, "too slow")
        elif not self._closing:
            self._outbox.append({"type": "websocket.send", "text": message.decode()})
            self._wake.set()

    def refuse(self, key: str | None, caught: LiminaError) -> None:
        """Say why something was not done."""
        self.send(dump({"type": "refused", "key": key, **error(code_of(caught), str(caught))}))

    def close(self, code: int, reason: str) -> None:
        """Say goodbye after everything that was said before."""
        if not self._closing:
            self._closing = True
            self._outbox.append({"type": "websocket.close", "code": code, "reason": reason})
            self._wake.set()

    async def send_on(self) -> None:
        """Send whatever is in the outbox, until the connection is closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            # One breath: an update and the answer to the turn in it then leave together.
            await asyncio.sleep(0)
            letters, self._outbox = self._outbox, []
            for letter in letters:
                await self._send(letter)
                if letter["type"] == "websocket.close":
                    return


class Room:
    """Everybody who looks at one match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.viewers: set[Viewer] = set()
        match.listeners.add(self.changed)

    def changed(self, match: Match, before: Situation | None) -> None:
        """Tell everybody."""
        if match.broken:
            for viewer in self.viewers:
                viewer.close(1012, "please come back")
            return
        for viewer in self.viewers:
            if not match.admits(viewer.mine):
                # The last seat is taken. Perhaps by them: whoever comes back with a key may stay.
                viewer.close(1012, "please come back")
        if before is None:  # something else than a turn: who sits where, a rematch
            for viewer in self.viewers:
                viewer.send(state_message(match, viewer))
        else:
            self._update(match, before)

    def _update(self, match: Match, before: Situation) -> None:
        """Tell what a turn has led to. Those who may see the same get the same bytes, and no part is made twice."""
        # Within a round that stays open nobody gets other turns than before.
        opened = match.to_move if before.steps_before_round != match.shown.steps_before_round else ()
        legal: dict[int, Fragment] = {}
        updates: dict[tuple[int, ...], dict[str, Any]] = {}
        messages: dict[tuple[tuple[int, ...], tuple[int, ...]], bytes] = {}
        for viewer in self.viewers:
            audience = visibility.audience(match, viewer.mine)
            moving = tuple(seat for seat in viewer.mine if seat in opened) if viewer.legal else ()
            message = messages.get((audience, moving))
            if message is None:
                if audience not in updates:
                    update = updates[audience] = visibility.update(match, before, audience)
                    update["view"] = fragment(update["view"])
                for seat in moving:
                    if seat not in legal:
                        legal[seat] = fragment(visibility.legal_turns(match, seat))
                own = {seat: legal[seat] for seat in moving}
                message = messages[audience, moving] = dump({**updates[audience], "legal": own})
            viewer.send(message)


def state_message(match: Match, viewer: Viewer) -> bytes:
    """Everything that a viewer may know."""
    return dump({"type": "state", "state": visibility.state(match, viewer.mine, legal=viewer.legal)})


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
                    # From here to its first state nothing is waited for: no update comes before that.
                    self._enter(match, viewer)
                elif isinstance(message, Hello):
                    try:
                        await self._authority.refresh(match)  # a key may be younger than what this process knows
                    except LiminaError as caught:
                        viewer.refuse(None, caught)
                        continue
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
