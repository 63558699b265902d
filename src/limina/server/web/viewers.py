"""Those who look at a match: what each of them is still to be told, and everybody who looks at the same one."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import ExitStack
from typing import Any, Protocol

from limina.errors import LiminaError
from limina.server.errors import code_of
from limina.server.matches import Match, Situation, visibility
from limina.server.web.asgi import Message, Send
from limina.server.web.rate_limits import RateLimits
from limina.server.web.states import States
from limina.server.wire.encoding import dump, error, fragment

_MOST_UNREAD = 1024 * 1024
"""Bytes in an outbox; whoever reads them more slowly than they come has to come back."""
_AT_ONCE = 25
"""How many are sent something before anything else has its turn."""


class Connection(Protocol):
    """What is known of the connection below a socket."""

    def seat(self, seated: bool) -> None:
        """Whether whoever is at the other end holds a seat."""

    def end(self, code: int, reason: str) -> None:
        """Say goodbye and go, whether or not it is heard."""


class Viewer:
    """Whoever is at the other end of a socket."""

    def __init__(self, send: Send, client: str, limits: RateLimits, connection: Connection | None = None) -> None:
        self.mine: tuple[int, ...] = ()
        self.legal = True
        self.client = client
        self.refused = 0
        self._send = send
        self._limits = limits
        self._connection = connection
        self._place = ExitStack()
        self._outbox: deque[Message] = deque()
        self._unread = 0
        self._wake = asyncio.Event()
        self._closing = False

    def sit(self, match: Match, mine: tuple[int, ...]) -> None:
        """Hold these seats or none; refused where too many do so already."""
        place = ExitStack()
        place.enter_context(self._limits.seated(self.client) if mine else self._limits.watching(self.client, match.id))
        self._place.close()
        self._place, self.mine = place, mine
        if self._connection is not None:
            self._connection.seat(bool(mine))

    def send(self, text: str, *, wake: bool = True) -> None:
        """Send this after everything that was said before; never waits. Not woken, it is sent when it is."""
        if self._closing:
            return
        size = len(text)
        room = self._count(size) and (self._unread <= _MOST_UNREAD or self._unread == size)
        self._outbox.append({"type": "websocket.send", "text": text})
        if not room:
            self._give_up()
        elif wake:
            self._wake.set()

    def refuse(self, key: str | None, caught: LiminaError) -> None:
        """Say why something was not done."""
        self.say({"type": "refused", "key": key, **error(code_of(caught), str(caught))})

    def say(self, message: dict[str, Any]) -> None:
        """Send a message of a few words."""
        self.send(dump(message).decode())

    def close(self, code: int, reason: str) -> None:
        """Say goodbye after everything that was said before."""
        if not self._closing:
            self._closing = True
            self._outbox.append({"type": "websocket.close", "code": code, "reason": reason})
            self._wake.set()

    def wake(self) -> None:
        """Send what waits."""
        self._wake.set()

    def leave(self) -> None:
        """Give back what was held."""
        self._closing = True
        self._outbox.clear()
        self._count(-self._unread)
        self._place.close()

    async def send_on(self) -> None:
        """Send whatever is in the outbox, until the connection is closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            # One breath: an update and the answer to the turn in it then leave together.
            await asyncio.sleep(0)
            while self._outbox:
                letter = self._outbox.popleft()
                await self._send(letter)
                self._count(-len(letter.get("text", "")))
                if letter["type"] == "websocket.close":
                    return

    def _count(self, size: int) -> bool:
        self._unread += size
        return self._limits.waiting(self.client, size)

    def _give_up(self) -> None:
        """They read more slowly than it comes: nothing more is kept for them."""
        waiting = sum(len(letter["text"]) for letter in self._outbox)
        self._outbox.clear()
        self._count(-waiting)
        self.close(1013, "too slow")
        if self._connection is not None:
            self._connection.end(1013, "too slow")


class Room:
    """Everybody who looks at one match."""

    def __init__(self, match: Match, states: States) -> None:
        self.match = match
        self.viewers: set[Viewer] = set()
        self._states = states
        self._asleep: deque[Viewer] = deque()
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
            self._restate(match)
        else:
            self._update(match, before)

    def _restate(self, match: Match) -> None:
        messages: dict[tuple[tuple[int, ...], bool], str] = {}
        for viewer in self.viewers:
            key = viewer.mine, viewer.legal
            if key not in messages:
                messages[key] = self._states.message(match, viewer.mine, legal=viewer.legal)
            self._tell(viewer, messages[key])

    def _update(self, match: Match, before: Situation) -> None:
        """Tell what a turn has led to. Those who may see the same get the same bytes, and no part is made twice."""
        # Within a round that stays open nobody gets other turns than before.
        opened = match.to_move if before.steps_before_round != match.shown.steps_before_round else ()
        updates: dict[tuple[int, ...], dict[str, Any]] = {}
        messages: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {}
        for viewer in self.viewers:
            audience = visibility.audience(match, viewer.mine)
            moving = tuple(seat for seat in viewer.mine if seat in opened) if viewer.legal else ()
            message = messages.get((audience, moving))
            if message is None:
                if audience not in updates:
                    update = updates[audience] = visibility.update(match, before, audience)
                    update["view"] = fragment(update["view"])
                own = {seat: self._states.legal(match, seat) for seat in moving}
                message = messages[audience, moving] = dump({**updates[audience], "legal": own}).decode()
            self._tell(viewer, message)

    def _tell(self, viewer: Viewer, message: str) -> None:
        """Players are told at once; those who watch, a few at a time, so that however many they are nobody waits."""
        if viewer.mine or len(self.viewers) <= _AT_ONCE:
            viewer.send(message)
            return
        viewer.send(message, wake=False)
        if not self._asleep:
            asyncio.get_running_loop().call_soon(self._wake_some)
        self._asleep.append(viewer)

    def _wake_some(self) -> None:
        for _ in range(min(_AT_ONCE, len(self._asleep))):
            self._asleep.popleft().wake()
        if self._asleep:
            asyncio.get_running_loop().call_soon(self._wake_some)
