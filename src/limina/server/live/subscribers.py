"""Subscribers of a match: each is sent the messages for its audience."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import ExitStack
from typing import Protocol

from limina.server.live.messages import MessageBuilder
from limina.server.matches import LoadedMatch, Match
from limina.server.matches.visibility import Audience, Seats, Update
from limina.server.network.rate_limits import RateLimits
from limina.server.network.socket_protocol import PreparedMessage

_MAX_UNSENT_BYTES = 1024 * 1024
"""Bytes that may wait for one subscriber; one that reads more slowly is disconnected and has to come back."""
_MAX_FLUSHED_AT_ONCE = 25
"""Spectators that are sent a message before anything else has its turn."""


class Connection(Protocol):
    """The connection below a socket."""

    def try_send(self, message: PreparedMessage) -> bool:
        """Send a message, unless earlier ones still wait to leave; return whether it was sent."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Send a close frame after everything that was sent before."""

    def set_seated(self, seated: bool) -> None:
        """Set whether the client holds a seat."""


class Subscriber:
    """The client of one socket. Messages leave at once; those that cannot wait here."""

    def __init__(self, connection: Connection, client: str, limits: RateLimits) -> None:
        self.audience = Audience()
        self.client = client
        self._connection = connection
        self._limits = limits
        self._place = ExitStack()
        self._outbox: deque[PreparedMessage] = deque()
        self._unsent = 0
        self._closing: tuple[int, str] | None = None

    def set_seats(self, match: Match, seats: Seats) -> None:
        """Hold these seats or none; raises RefusedError if the client has too many such sockets."""
        place = ExitStack()
        place.enter_context(self._limits.hold("socket_with_seat" if seats else "socket_without_seat", self.client))
        if not seats:
            place.enter_context(self._limits.hold("socket_of_match", match.id))
        self._place.close()
        self._place, self.audience = place, self.audience._replace(seats=seats)
        self._connection.set_seated(bool(seats))

    def send(self, message: PreparedMessage, *, flush: bool = True) -> None:
        """Send a message after everything that was sent before; never waits. Not flushed, it leaves with `flush()`."""
        if self._closing is not None or (flush and not self._outbox and self._connection.try_send(message)):
            return
        size = len(message.frame)
        room = self._count(size) and (self._unsent <= _MAX_UNSENT_BYTES or self._unsent == size)
        self._outbox.append(message)
        if not room:
            self._drop()
            self._closing = 1013, "too slow"
            self._connection.close(*self._closing)
        elif flush:
            self.flush()

    def close(self, code: int, reason: str) -> None:
        """Close the connection after everything that was sent before."""
        if self._closing is None:
            self._closing = code, reason
            self.flush()

    def flush(self) -> None:
        """Send the messages that wait, as far as they can leave."""
        while self._outbox and self._connection.try_send(self._outbox[0]):
            self._count(-len(self._outbox.popleft().frame))
        if self._closing is not None and not self._outbox:
            self._connection.close(*self._closing)

    def release(self) -> None:
        """Drop the messages that wait and give back what was held."""
        self._closing = self._closing or (1000, "")
        self._drop()
        self._place.close()

    def _drop(self) -> None:
        self._outbox.clear()
        self._count(-self._unsent)

    def _count(self, size: int) -> bool:
        self._unsent += size
        return self._limits.add_unsent(self.client, size)


class Subscribers:
    """All subscribers of one match."""

    def __init__(self, loaded: LoadedMatch, messages: MessageBuilder) -> None:
        self.members: set[Subscriber] = set()
        self._messages = messages
        self._unflushed: deque[Subscriber] = deque()
        loaded.viewers = self.members
        loaded.subscribers.add(self.publish)

    def publish(self, loaded: LoadedMatch, updates: list[Update] | None) -> None:
        """Send the updates after turns, or the new state after another change."""
        if updates is None or loaded.invalidated:
            self._close_some(loaded)
        if loaded.invalidated:
            return
        if updates is None:
            audiences = {subscriber.audience for subscriber in self.members}
            messages = {audience: self._messages.state_message(loaded.match, audience) for audience in audiences}
        else:
            messages = self._messages.update_messages(loaded.match, updates)
        for subscriber in self.members:
            self._send(subscriber, messages[subscriber.audience])

    def _close_some(self, loaded: LoadedMatch) -> None:
        """Close the sockets of subscribers that may not stay, or cannot. They have to come back."""
        for subscriber in self.members:
            # The last seat is taken, perhaps by this client: it may stay if it comes back with the seat's key.
            if loaded.invalidated or not loaded.match.admits(subscriber.audience.seats):
                subscriber.close(1012, "please come back")

    def _send(self, subscriber: Subscriber, message: PreparedMessage) -> None:
        """Send to players at once, and to many spectators a few at a time, so that others do not wait for all."""
        if subscriber.audience.seats or len(self.members) <= _MAX_FLUSHED_AT_ONCE:
            subscriber.send(message)
            return
        subscriber.send(message, flush=False)
        if not self._unflushed:
            asyncio.get_running_loop().call_soon(self._flush_some)
        self._unflushed.append(subscriber)

    def _flush_some(self) -> None:
        for _ in range(min(_MAX_FLUSHED_AT_ONCE, len(self._unflushed))):
            self._unflushed.popleft().flush()
        if self._unflushed:
            asyncio.get_running_loop().call_soon(self._flush_some)
