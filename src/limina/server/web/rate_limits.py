"""What one client may have and do at once. A client is an address; of IPv6, the network that one household gets.

Everything is counted for the client, over all its connections and over those it closes and opens again. Whoever sits at
the machine itself may do much more than others: it is theirs. Counts are kept for the latest clients only, so that a
flood of addresses fills no memory.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from math import ceil
from typing import Any

from limina.server.errors import RefusedError
from limina.server.settings import Allowed

HOME = "home"
"""The client at the machine itself."""
PROXIED = "proxied"
"""In the state of a request or socket that came over a proxy's connection."""
_MOST_CLIENTS = 20_000
_MOST_UNREAD = 256 * 1024 * 1024
"""Bytes that wait to be read by all clients together."""


class TokenBucket:
    """Fills evenly over time; each act takes a token, or as many as it costs.

    >>> bucket = TokenBucket(2, 60.0, now=0.0)
    >>> [bucket.take(0.0), bucket.take(0.0), bucket.take(0.0), bucket.take(40.0)]
    [0.0, 0.0, 30.0, 0.0]
    """

    __slots__ = ("_filled", "_size", "_speed", "_tokens")

    def __init__(self, size: float, seconds: float, now: float) -> None:
        self._size = self._tokens = size
        self._speed = size / seconds
        self._filled = now

    def take(self, now: float, cost: float = 1.0) -> float:
        """Take what something costs, and 0; or how many seconds until there is enough.

        What costs more than there can ever be is let through when the bucket is full.
        """
        self._tokens = min(self._size, self._tokens + (now - self._filled) * self._speed)
        self._filled = now
        cost = min(cost, self._size)
        if self._tokens < cost:
            return (cost - self._tokens) / self._speed
        self._tokens -= cost
        return 0.0


class RateLimits:
    """Counts what clients do and refuses what is too much, in a sentence that says when to come back."""

    def __init__(self, allowed: Allowed | None = None) -> None:
        self.allowed = allowed or Allowed()
        self._buckets: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()
        self._held: Counter[tuple[str, str]] = Counter()
        self._unread = 0

    # --- what is done so and so often

    def request(self, client: str) -> None:
        """Somebody asks for something over HTTP."""
        self._take("request", client, self.allowed.requests_per_minute / 6, 10, "that was too much at once")

    def new_match(self, client: str) -> None:
        """Somebody begins a match."""
        allowed = self.allowed
        self._take("minute", client, allowed.matches_per_minute, 60, "you have begun many games just now")
        self._take("hour", client, allowed.matches_per_hour, 3600, "you have begun many games in the last hour")

    def picture(self, client: str) -> None:
        """Somebody has a picture, or sheets to print, made."""
        self._take("picture", client, self.allowed.pictures_per_minute, 60, "you have asked for many pictures just now")

    def new_deck(self, client: str) -> None:
        """Somebody shares a deck."""
        self._take("deck", client, self.allowed.decks_per_hour, 3600, "you have shared many decks in the last hour")

    def opening(self, client: str) -> None:
        """Somebody opens a connection, or turns one into a socket."""
        self._take("opening", client, self.allowed.openings_per_minute, 60, "you have come back very often just now")

    def messages(self, client: str) -> TokenBucket:
        """For what is said over all sockets of a client; whoever reads it looks there too often to ask each time."""
        return self._bucket("message", client, 10 * self.allowed.messages_per_second, 10)

    def frames(self, client: str) -> TokenBucket:
        """For the frames of all sockets of a client, in the same way."""
        return self._bucket("frame", client, 10 * self.allowed.frames_per_second, 10)

    # --- what is had at the same time

    def connection(self, client: str) -> AbstractContextManager[None]:
        """An open connection, whatever it is used for."""
        return self._hold("connection", client, self.allowed.connections, "you have many connections open")

    def connection_of(self, scope: Mapping[str, Any]) -> AbstractContextManager[None]:
        """A proxy's connection, as long as a client has the use of it; any other is counted from its beginning."""
        if (scope.get("state") or {}).get(PROXIED):
            return self.connection(client_of(scope))
        return nullcontext()

    def requesting(self, client: str) -> AbstractContextManager[None]:
        """A request that is being answered."""
        return self._hold("requesting", client, self.allowed.requests, "we still answer your other requests")

    def greeting(self, client: str) -> AbstractContextManager[None]:
        """A socket that has not said hello."""
        return self._hold("greeting", client, self.allowed.sockets, "you have many games open")

    @contextmanager
    def watching(self, client: str, match: str) -> Iterator[None]:
        """A socket of somebody who holds no seat, of a client and at a match."""
        most = self.allowed.sockets_per_match
        with (
            self._hold("watching", client, self.allowed.sockets, "you have many games open"),
            self._hold("match", match, most, "many watch this game already", factor=1),
        ):
            yield

    def seated(self, client: str) -> AbstractContextManager[None]:
        """A socket of somebody who holds a seat: there is room for it however many watch."""
        return self._hold("seated", client, self.allowed.sockets, "you have many games open")

    def analysis(self, client: str) -> AbstractContextManager[None]:
        """A review or a hint that is being made."""
        return self._hold("analysis", client, self.allowed.studies, "we are still thinking about your other games")

    def sockets(self) -> int:
        """How many sockets are open, of all clients."""
        kinds = ("greeting", "watching", "seated")
        # Asked from another thread: what is counted while we look may be missed.
        return sum(count for (what, _), count in list(self._held.items()) if what in kinds)

    def waiting(self, client: str, size: int) -> bool:
        """Let so many more bytes (or fewer) wait to be read by a client; whether that is still allowed."""
        key = ("waiting", client)
        self._held[key] += size
        self._unread += size
        if self._held[key] <= 0:
            del self._held[key]
            return True
        most = 1024 * self.allowed.unread_kilobytes * self.factor(client)
        return self._held[key] <= most and self._unread <= _MOST_UNREAD

    def factor(self, client: str) -> int:
        """How many times as much is for this client."""
        return self.allowed.at_home if client == HOME else 1

    def _bucket(self, what: str, client: str, most: float, seconds: float) -> TokenBucket:
        key = (what, client)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(most * self.factor(client), seconds, time.monotonic())
            if len(self._buckets) > _MOST_CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    def _take(self, what: str, client: str, most: float, seconds: float, sentence: str) -> None:
        wait = self._bucket(what, client, most, seconds).take(time.monotonic())
        if wait:
            raise too_many(sentence, wait)

    @contextmanager
    def _hold(self, what: str, who: str, most: int, sentence: str, *, factor: int | None = None) -> Iterator[None]:
        key = (what, who)
        if self._held[key] >= most * (self.factor(who) if factor is None else factor):
            raise too_many(sentence, 10)
        self._held[key] += 1
        try:
            yield
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]


def client_of(scope: Mapping[str, Any]) -> str:
    """Who is at the other end, as far as limits go."""
    peer = scope.get("client")
    return client_at(peer[0]) if peer else HOME


@lru_cache(10_000)
def client_at(host: str) -> str:
    """Who is at an address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:100]
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return HOME
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def too_many(sentence: str, seconds: float) -> RefusedError:
    """The refusal, with the time after which it is worth to try again."""
    wait = max(1, ceil(seconds))
    when = f"{wait} second{'s' if wait > 1 else ''}" if wait < 120 else f"{ceil(wait / 60)} minutes"
    return RefusedError("too_many", f"{sentence}: please try again in {when}", retry=wait)
