"""Those who look at a match: what each of them is still to be told, and everybody who looks at the same one."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import ExitStack
from typing import Any, Protocol

from limina.errors import LiminaError
from limina.server.errors import code_of
from limina.server.matches import LoadedMatch, Match, Situation, visibility
from limina.server.web.rate_limits import RateLimits
from limina.server.web.socket_protocol import PreparedMessage
from limina.server.web.states import States
from limina.server.wire.encoding import dump, error, fragment

_MOST_UNREAD = 1024 * 1024
"""Bytes in an outbox; whoever reads them more slowly than they come has to come back."""
_AT_ONCE = 25
"""How many are sent something before anything else has its turn."""

Seats = tuple[int, ...]


class Connection(Protocol):
    """The connection below a socket."""

    def try_send(self, message: PreparedMessage) -> bool:
        """Send a message, unless earlier ones still wait to leave; return whether it was sent."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Send a close frame after everything that was sent before."""

    def set_seated(self, seated: bool) -> None:
        """Set whether the client holds a seat."""


class Viewer:
    """Whoever is at the other end of a socket. What they are told leaves at once; what cannot, waits here."""

    def __init__(self, connection: Connection, client: str, limits: RateLimits) -> None:
        self.mine: tuple[int, ...] = ()
        self.legal = True
        self.client = client
        self.refused = 0
        self._connection = connection
        self._limits = limits
        self._place = ExitStack()
        self._outbox: deque[PreparedMessage] = deque()
        self._unread = 0
        self._goodbye: tuple[int, str] | None = None

    def sit(self, match: Match, mine: tuple[int, ...]) -> None:
        """Hold these seats or none; refused where too many do so already."""
        place = ExitStack()
        place.enter_context(self._limits.hold("socket_with_seat" if mine else "socket_without_seat", self.client))
        if not mine:
            place.enter_context(self._limits.hold("socket_of_match", match.id))
        self._place.close()
        self._place, self.mine = place, mine
        self._connection.set_seated(bool(mine))

    def send(self, message: PreparedMessage, *, wake: bool = True) -> None:
        """Send this after everything that was said before; never waits. Not woken, it is sent when it is."""
        if self._goodbye is not None or (wake and not self._outbox and self._connection.try_send(message)):
            return
        size = len(message.frame)
        room = self._count(size) and (self._unread <= _MOST_UNREAD or self._unread == size)
        self._outbox.append(message)
        if not room:
            self._give_up()
        elif wake:
            self.wake()

    def refuse(self, key: str | None, caught: LiminaError) -> None:
        """Say why something was not done."""
        self.say({"type": "refused", "key": key, **error(code_of(caught), str(caught))})

    def say(self, message: dict[str, Any]) -> None:
        """Send a message of a few words."""
        self.send(PreparedMessage(dump(message)))

    def close(self, code: int, reason: str) -> None:
        """Say goodbye after everything that was said before."""
        if self._goodbye is None:
            self._goodbye = code, reason
            self.wake()

    def wake(self) -> None:
        """Send what waits, as far as it can leave."""
        while self._outbox and self._connection.try_send(self._outbox[0]):
            self._count(-len(self._outbox.popleft().frame))
        if self._goodbye is not None and not self._outbox:
            self._connection.close(*self._goodbye)

    def leave(self) -> None:
        """Give back what was held."""
        self._goodbye = self._goodbye or (1000, "")
        self._outbox.clear()
        self._count(-self._unread)
        self._place.close()

    def _count(self, size: int) -> bool:
        self._unread += size
        return self._limits.waiting(self.client, size)

    def _give_up(self) -> None:
        """They read more slowly than it comes: nothing more is kept for them."""
        self._outbox.clear()
        self._count(-self._unread)
        self._goodbye = 1013, "too slow"
        self._connection.close(*self._goodbye)


class Room:
    """Everybody who looks at one match."""

    def __init__(self, loaded: LoadedMatch, states: States) -> None:
        self.viewers: set[Viewer] = set()
        self._states = states
        self._asleep: deque[Viewer] = deque()
        loaded.subscribers.add(self.changed)

    def changed(self, loaded: LoadedMatch, before: Situation | None) -> None:
        """Tell everybody."""
        match = loaded.match
        if loaded.invalidated:
            for viewer in self.viewers:
                viewer.close(1012, "please come back")
            return
        if not match.admits(()):
            for viewer in self.viewers:
                if not match.admits(viewer.mine):
                    # The last seat is taken. Perhaps by them: whoever comes back with a key may stay.
                    viewer.close(1012, "please come back")
        if before is None:  # something else than a turn: who sits where, a rematch
            self._restate(match)
        else:
            self._update(match, before)

    def _restate(self, match: Match) -> None:
        messages: dict[tuple[tuple[int, ...], bool], PreparedMessage] = {}
        for viewer in self.viewers:
            key = viewer.mine, viewer.legal
            if key not in messages:
                messages[key] = PreparedMessage(self._states.message(match, viewer.mine, legal=viewer.legal))
            self._tell(viewer, messages[key])

    def _update(self, match: Match, before: Situation) -> None:
        """Tell what a turn has led to. Those who may see the same get the same bytes, and no part is made twice."""
        # Within a round that stays open nobody gets other turns than before.
        opened = match.to_move if before.steps_before_round != match.shown.steps_before_round else ()
        groups: dict[tuple[Seats, Seats], list[Viewer]] = {}
        for viewer in self.viewers:
            moving = tuple([seat for seat in viewer.mine if seat in opened]) if viewer.legal and opened else ()
            groups.setdefault((visibility.audience(match, viewer.mine), moving), []).append(viewer)
        updates: dict[Seats, dict[str, Any]] = {}
        for (audience, moving), viewers in groups.items():
            if audience not in updates:
                update = updates[audience] = visibility.update(match, before, audience)
                if len(groups) > 1:
                    update["view"] = fragment(update["view"])
            legal = {seat: self._states.legal(match, seat) for seat in moving}
            message = PreparedMessage(dump({**updates[audience], "legal": legal}))
            for viewer in viewers:
                self._tell(viewer, message)

    def _tell(self, viewer: Viewer, message: PreparedMessage) -> None:
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
