"""Who looks at a match through a socket, and how all of them hear what was saved."""

from __future__ import annotations

import asyncio
from typing import Any

from limina.errors import LiminaError
from limina.server.errors import code_of
from limina.server.matches import Match, Situation, visibility
from limina.server.web.asgi import Message, Send
from limina.server.web.rate_limits import TokenBucket
from limina.server.wire.encoding import Fragment, dump, error, fragment

_MOST_WAITING = 500


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
