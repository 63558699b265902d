"""Rate limits: what one client may do within a time, and have at the same time.

A client is an IPv4 address or a /64 network of IPv6. Everything is counted for the client, over all its connections.
Loopback addresses are one client with a much larger share. Only the token buckets that were used last are kept in
memory.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf
from typing import Any, Literal

from limina.server.errors import RefusedError
from limina.server.settings import ClientLimits

LOCALHOST = "localhost"
"""The client that stands for all loopback addresses."""
PROXIED = "proxied"
"""In the state of a request or socket that came over a proxy's connection."""
MAX_UPLOAD_BYTES = 64 * 1024 * 1024
"""Bound on the large request bodies that are being received, of all clients together."""
_MAX_BUCKETS = 20_000
"""Bound on the token buckets in memory. The ones that were used last are kept."""
_MAX_UNREAD_BYTES = 256 * 1024 * 1024
"""Bound on the messages that wait to be sent, to all clients together."""


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


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A bound for one client: on what it does within a window of time, or on what it has at the same time."""

    kind: Literal["rate", "concurrent"]
    size: Callable[[ClientLimits], float]
    window_seconds: float
    """Of a rate: the time in which an empty bucket fills. Of anything else: when to try again."""
    message: str
    ceiling: float = inf
    """Bound on the share of a client with a multiplier."""


LIMITS: dict[str, RateLimit] = {
    "request": RateLimit("rate", lambda most: most.requests_per_minute / 6, 10, "that was too much at once"),
    "page_request": RateLimit(
        "rate", lambda most: most.page_requests_per_minute / 6, 10, "that was too much at once", ceiling=2000
    ),
    "match_this_minute": RateLimit(
        "rate", lambda most: most.matches_per_minute, 60, "you have begun many games just now"
    ),
    "match_this_hour": RateLimit(
        "rate", lambda most: most.matches_per_hour, 3600, "you have begun many games in the last hour"
    ),
    "picture": RateLimit(
        "rate", lambda most: most.pictures_per_minute, 60, "you have asked for many pictures just now"
    ),
    "deck": RateLimit("rate", lambda most: most.decks_per_hour, 3600, "you have shared many decks in the last hour"),
    "new_connection": RateLimit(
        "rate", lambda most: most.new_connections_per_minute, 60, "you have come back very often just now"
    ),
    "message": RateLimit("rate", lambda most: 10 * most.messages_per_second, 10, "that was too much at once"),
    "socket_byte": RateLimit("rate", lambda most: 10 * 1024 * most.socket_kilobytes_per_second, 10, ""),
    "connection": RateLimit("concurrent", lambda most: most.connections, 10, "you have many connections open"),
    "running_request": RateLimit("concurrent", lambda most: most.requests, 10, "we still answer your other requests"),
    "upload_byte": RateLimit(
        "concurrent",
        lambda most: 1024 * most.upload_kilobytes,
        10,
        "you are sending much at once",
        ceiling=MAX_UPLOAD_BYTES // 2,
    ),
    "socket_before_hello": RateLimit("concurrent", lambda most: most.sockets, 10, "you have many games open"),
    "socket_without_seat": RateLimit("concurrent", lambda most: most.sockets, 10, "you have many games open"),
    "socket_with_seat": RateLimit("concurrent", lambda most: most.sockets, 10, "you have many games open"),
    "socket_of_match": RateLimit("concurrent", lambda most: most.sockets_per_match, 10, "many watch this game already"),
    "analysis": RateLimit("concurrent", lambda most: most.analyses, 10, "we are still thinking about your other games"),
}
"""All limits by what they count. Each is for one client; `socket_of_match` is for one match."""


class RateLimits:
    """Counts what clients do and have, and refuses what exceeds a limit in a sentence that says when to try again."""

    def __init__(self, client_limits: ClientLimits | None = None) -> None:
        self.client_limits = client_limits or ClientLimits()
        self._buckets: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()
        self._held: Counter[tuple[str, str]] = Counter()
        self._unread = 0

    def take(self, client: str, *names: str) -> None:
        """Count one act of a client under each of these rates; raise RefusedError when there are too many."""
        for name in names:
            wait = self.bucket(name, client).take(time.monotonic())
            if wait:
                raise rate_limited_error(LIMITS[name].message, wait)

    def bucket(self, name: str, client: str) -> TokenBucket:
        """Return the token bucket of a rate, for callers that take from it too often to look it up each time."""
        key = (name, client)
        bucket = self._buckets.get(key)
        if bucket is None:
            seconds = LIMITS[name].window_seconds
            bucket = self._buckets[key] = TokenBucket(self._size(name, client), seconds, time.monotonic())
            if len(self._buckets) > _MAX_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    @contextmanager
    def hold(self, name: str, client: str) -> Iterator[None]:
        """Count something that a client has while the context lasts; raise RefusedError when it has too many."""
        self.add(name, client, 1)
        try:
            yield
        finally:
            self.remove(name, client, 1)

    def add(self, name: str, client: str, count: int) -> None:
        """Count something that a client has from now on; raise RefusedError, and count nothing, when it is too much."""
        held = self._held[name, client] + count
        if held > self._size(name, client):
            if held == count:
                del self._held[name, client]
            rule = LIMITS[name]
            raise rate_limited_error(rule.message, rule.window_seconds)
        self._held[name, client] = held

    def remove(self, name: str, client: str, count: int) -> None:
        """Count something no longer that was added."""
        self._held[name, client] -= count
        if not self._held[name, client]:
            del self._held[name, client]

    def connection_of(self, scope: Mapping[str, Any]) -> AbstractContextManager[None]:
        """Count a proxy's connection while a client uses it. Other connections are counted when they are opened."""
        if (scope.get("state") or {}).get(PROXIED):
            return self.hold("connection", client_of(scope))
        return nullcontext()

    def socket_count(self) -> int:
        """Return how many sockets are open, of all clients."""
        kinds = ("socket_before_hello", "socket_without_seat", "socket_with_seat")
        # Called from another thread: a count may be missed that changes at this moment.
        return sum(count for (name, _), count in list(self._held.items()) if name in kinds)

    def add_unsent(self, client: str, size: int) -> bool:
        """Let so many more bytes (or fewer) wait to be read by a client; whether that is still allowed."""
        key = ("waiting", client)
        self._held[key] += size
        self._unread += size
        if self._held[key] <= 0:
            del self._held[key]
            return True
        most = 1024 * self.client_limits.send_buffer_kilobytes * self.multiplier(client)
        return self._held[key] <= most and self._unread <= _MAX_UNREAD_BYTES

    def multiplier(self, client: str) -> int:
        """Return how many times as much as others this client may do."""
        return self.client_limits.localhost_multiplier if client == LOCALHOST else 1

    def _size(self, name: str, client: str) -> float:
        rule = LIMITS[name]
        return min(rule.size(self.client_limits) * self.multiplier(client), rule.ceiling)


def client_of(scope: Mapping[str, Any]) -> str:
    """Who is at the other end, as far as limits go."""
    peer = scope.get("client")
    return client_at(peer[0]) if peer else LOCALHOST


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
        return LOCALHOST
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def rate_limited_error(sentence: str, seconds: float) -> RefusedError:
    """The refusal, with the time after which it is worth to try again."""
    wait = max(1, ceil(seconds))
    when = f"{wait} second{'s' if wait > 1 else ''}" if wait < 120 else f"{ceil(wait / 60)} minutes"
    return RefusedError("too_many", f"{sentence}: please try again in {when}", retry_after=wait)
