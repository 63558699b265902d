"""Subscribers of matches: clients of sockets that receive the messages of their audience."""

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
"""Maximum size of the unsent messages of a subscriber. A slower client is disconnected and has to reconnect."""
_SPECTATOR_BATCH_SIZE = 25
"""Number of spectators to send to in one iteration of the event loop."""


class Connection(Protocol):
    """The transport of a socket."""

    def try_send(self, message: PreparedMessage) -> bool:
        """Send a message and return True, or return False if the write buffer is full."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Send a close frame after all earlier messages."""

    def set_seated(self, seated: bool) -> None:
        """Mark the connection as one of a client with a seat, or without one."""


class Subscriber:
    """The client of a socket, with a queue of messages that wait until the write buffer has space."""

    def __init__(self, connection: Connection, client: str, limits: RateLimits) -> None:
        self.audience = Audience()
        self.client = client
        self._connection = connection
        self._limits = limits
        self._held_limits = ExitStack()
        self._outbox: deque[PreparedMessage] = deque()
        self._unsent = 0
        self._closing: tuple[int, str] | None = None

    def set_seats(self, match: Match, seats: Seats) -> None:
        """Set the seats of the client. Raise RefusedError if it has too many such sockets."""
        held_limits = ExitStack()
        held_limits.enter_context(
            self._limits.hold("socket_with_seat" if seats else "socket_without_seat", self.client)
        )
        if not seats:
            held_limits.enter_context(self._limits.hold("socket_of_match", match.id))
        self._held_limits.close()
        self._held_limits, self.audience = held_limits, self.audience._replace(seats=seats)
        self._connection.set_seated(bool(seats))

    def send(self, message: PreparedMessage, *, flush: bool = True) -> None:
        """Send a message after all earlier ones, or queue it. Without `flush`, it waits for a call of `flush()`."""
        if self._closing is not None or (flush and not self._outbox and self._connection.try_send(message)):
            return
        size = len(message.frame)
        fits = self._count(size) and (self._unsent <= _MAX_UNSENT_BYTES or self._unsent == size)
        self._outbox.append(message)
        if not fits:
            self._drop()
            self._closing = 1013, "too slow"
            self._connection.close(*self._closing)
        elif flush:
            self.flush()

    def close(self, code: int, reason: str) -> None:
        """Close the connection after all earlier messages."""
        if self._closing is None:
            self._closing = code, reason
            self.flush()

    def flush(self) -> None:
        """Send queued messages until the write buffer is full."""
        while self._outbox and self._connection.try_send(self._outbox[0]):
            self._count(-len(self._outbox.popleft().frame))
        if self._closing is not None and not self._outbox:
            self._connection.close(*self._closing)

    def release(self) -> None:
        """Drop the queued messages and release the limits that the subscriber holds."""
        self._closing = self._closing or (1000, "")
        self._drop()
        self._held_limits.close()

    def _drop(self) -> None:
        self._outbox.clear()
        self._count(-self._unsent)

    def _count(self, size: int) -> bool:
        self._unsent += size
        return self._limits.add_unsent(self.client, size)


class Subscribers:
    """All subscribers of a match."""

    def __init__(self, loaded: LoadedMatch, messages: MessageBuilder) -> None:
        self.members: set[Subscriber] = set()
        self._messages = messages
        self._unflushed: deque[Subscriber] = deque()
        loaded.viewers = self.members
        loaded.subscribers.add(self.publish)

    def publish(self, loaded: LoadedMatch, updates: list[Update] | None) -> None:
        """Send updates after turns, or the state after another change."""
        if updates is None or loaded.invalidated:
            self._close_excluded(loaded)
        if loaded.invalidated:
            return
        if updates is None:
            audiences = {subscriber.audience for subscriber in self.members}
            messages = {audience: self._messages.state_message(loaded.match, audience) for audience in audiences}
        else:
            messages = self._messages.update_messages(loaded.match, updates)
        for subscriber in self.members:
            self._send(subscriber, messages[subscriber.audience])

    def _close_excluded(self, loaded: LoadedMatch) -> None:
        """Close all sockets of an invalidated match, or those of subscribers that may not see it any longer."""
        for subscriber in self.members:
            # This client may have just taken the last seat itself: then it can reconnect with its seat token.
            if loaded.invalidated or not loaded.match.can_watch(subscriber.audience.seats):
                subscriber.close(1012, "please reconnect")

    def _send(self, subscriber: Subscriber, message: PreparedMessage) -> None:
        """Send to a player at once, and to spectators in batches if there are many."""
        if subscriber.audience.seats or len(self.members) <= _SPECTATOR_BATCH_SIZE:
            subscriber.send(message)
            return
        subscriber.send(message, flush=False)
        if not self._unflushed:
            asyncio.get_running_loop().call_soon(self._flush_batch)
        self._unflushed.append(subscriber)

    def _flush_batch(self) -> None:
        for _ in range(min(_SPECTATOR_BATCH_SIZE, len(self._unflushed))):
            self._unflushed.popleft().flush()
        if self._unflushed:
            asyncio.get_running_loop().call_soon(self._flush_batch)
