"""Rate limits and limits of concurrent use for each client.

A client is an IPv4 address or an IPv6 /64 network, with all its connections. All loopback addresses are one client with
larger limits. The number of token buckets in memory is limited: the least recently used ones are dropped.
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
"""Name of the client that stands for all loopback addresses."""
PROXIED = "proxied"
"""Key in the ASGI state of requests and sockets that arrive over a proxy's connection."""
MAX_UPLOAD_BYTES = 64 * 1024 * 1024
"""Upper bound of the large request bodies that are being received, of all clients together."""
_MAX_BUCKETS = 20_000
"""Upper bound of the token buckets in memory."""
_MAX_UNSENT_BYTES = 256 * 1024 * 1024
"""Upper bound of the messages that wait to be sent, to all clients together."""


class TokenBucket:
    """A token bucket that starts full and refills at a constant rate.

    >>> bucket = TokenBucket(2, 60.0, now=0.0)
    >>> [bucket.take(0.0), bucket.take(0.0), bucket.take(0.0), bucket.take(40.0)]
    [0.0, 0.0, 30.0, 0.0]
    """

    __slots__ = ("_rate", "_refilled_at", "_size", "_tokens")

    def __init__(self, size: float, seconds: float, now: float) -> None:
        self._size = self._tokens = size
        self._rate = size / seconds
        self._refilled_at = now

    def take(self, now: float, cost: float = 1.0) -> float:
        """Take tokens and return 0, or take none and return the seconds until there are enough.

        A cost above the size of the bucket is allowed when the bucket is full.
        """
        self._tokens = min(self._size, self._tokens + (now - self._refilled_at) * self._rate)
        self._refilled_at = now
        cost = min(cost, self._size)
        if self._tokens < cost:
            return (cost - self._tokens) / self._rate
        self._tokens -= cost
        return 0.0


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A limit for one client: of what it does within a time window, or of what it has at the same time."""

    kind: Literal["rate", "concurrent"]
    size: Callable[[ClientLimits], float]
    window_seconds: float
    """For a rate, the time in which an empty bucket fills; otherwise the time after which the client may try again."""
    message: str
    ceiling: float = inf
    """Maximum of the limit for clients with a multiplier."""


LIMITS: dict[str, RateLimit] = {
    "request": RateLimit(
        "rate", lambda limits: limits.requests_per_minute / 6, 10, "you are sending requests too fast"
    ),
    "page_request": RateLimit(
        "rate",
        lambda limits: limits.page_requests_per_minute / 6,
        10,
        "you are sending requests too fast",
        ceiling=2000,
    ),
    "match_this_minute": RateLimit(
        "rate", lambda limits: limits.matches_per_minute, 60, "you have started many games just now"
    ),
    "match_this_hour": RateLimit(
        "rate", lambda limits: limits.matches_per_hour, 3600, "you have started many games in the last hour"
    ),
    "picture": RateLimit(
        "rate", lambda limits: limits.pictures_per_minute, 60, "you have asked for many pictures just now"
    ),
    "deck": RateLimit(
        "rate", lambda limits: limits.decks_per_hour, 3600, "you have shared many decks in the last hour"
    ),
    "new_connection": RateLimit(
        "rate", lambda limits: limits.new_connections_per_minute, 60, "you are connecting too often"
    ),
    "message": RateLimit(
        "rate", lambda limits: 10 * limits.messages_per_second, 10, "you are sending messages too fast"
    ),
    "socket_byte": RateLimit("rate", lambda limits: 10 * 1024 * limits.socket_kilobytes_per_second, 10, ""),
    "connection": RateLimit("concurrent", lambda limits: limits.connections, 10, "you have too many open connections"),
    "running_request": RateLimit(
        "concurrent", lambda limits: limits.requests, 10, "your other requests are still being answered"
    ),
    "upload_byte": RateLimit(
        "concurrent",
        lambda limits: 1024 * limits.upload_kilobytes,
        10,
        "you are uploading too much at once",
        ceiling=MAX_UPLOAD_BYTES // 2,
    ),
    "socket_before_hello": RateLimit("concurrent", lambda limits: limits.sockets, 10, "you have too many games open"),
    "socket_without_seat": RateLimit("concurrent", lambda limits: limits.sockets, 10, "you have too many games open"),
    "socket_with_seat": RateLimit("concurrent", lambda limits: limits.sockets, 10, "you have too many games open"),
    "socket_of_match": RateLimit(
        "concurrent", lambda limits: limits.sockets_per_match, 10, "too many people are watching this game"
    ),
    "analysis": RateLimit(
        "concurrent", lambda limits: limits.analyses, 10, "your other games are still being analyzed"
    ),
}
"""All limits by what they count. Each holds for one client, except `socket_of_match`, which holds for one match."""


class RateLimits:
    """Counts the acts and resources of clients, and raises RefusedError when one exceeds a limit."""

    def __init__(self, client_limits: ClientLimits | None = None) -> None:
        self.client_limits = client_limits or ClientLimits()
        self._buckets: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._unsent = 0

    def take(self, client: str, *names: str) -> None:
        """Count one act of a client under each of these rates; raise RefusedError when one is exceeded."""
        for name in names:
            wait = self.bucket(name, client).take(time.monotonic())
            if wait:
                raise rate_limited_error(LIMITS[name].message, wait)

    def bucket(self, name: str, client: str) -> TokenBucket:
        """Return the token bucket of a rate, for callers that keep it because they take from it often."""
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
        """Count a resource of a client while the context lasts; raise RefusedError when it has too many."""
        self.add(name, client, 1)
        try:
            yield
        finally:
            self.remove(name, client, 1)

    def add(self, name: str, client: str, count: int) -> None:
        """Add to a count of a client; raise RefusedError and add nothing when it would exceed its limit."""
        total = self._counts[name, client] + count
        if total > self._size(name, client):
            rule = LIMITS[name]
            raise rate_limited_error(rule.message, rule.window_seconds)
        self._counts[name, client] = total

    def remove(self, name: str, client: str, count: int) -> None:
        """Subtract `count` from what `add` has counted under this name for the client."""
        self._counts[name, client] -= count
        if not self._counts[name, client]:
            del self._counts[name, client]

    def connection_of(self, scope: Mapping[str, Any]) -> AbstractContextManager[None]:
        """Count a proxy's connection while a client uses it. Other connections are counted when they are opened."""
        if (scope.get("state") or {}).get(PROXIED):
            return self.hold("connection", client_of(scope))
        return nullcontext()

    def socket_count(self) -> int:
        """Return the number of open sockets of all clients."""
        kinds = ("socket_before_hello", "socket_without_seat", "socket_with_seat")
        # Called from the thread of the metrics server: a count that changes at this moment may be missed.
        return sum(count for (name, _), count in list(self._counts.items()) if name in kinds)

    def add_unsent(self, client: str, size: int) -> bool:
        """Add to the bytes that wait to be sent to a client, or subtract; return True if they are within the limits."""
        key = ("unsent_byte", client)
        self._counts[key] += size
        self._unsent += size
        if self._counts[key] <= 0:
            del self._counts[key]
            return True
        max_bytes = 1024 * self.client_limits.send_buffer_kilobytes * self.multiplier(client)
        return self._counts[key] <= max_bytes and self._unsent <= _MAX_UNSENT_BYTES

    def multiplier(self, client: str) -> int:
        """Return the factor by which the limits of a client are larger than usual."""
        return self.client_limits.localhost_multiplier if client == LOCALHOST else 1

    def _size(self, name: str, client: str) -> float:
        rule = LIMITS[name]
        return min(rule.size(self.client_limits) * self.multiplier(client), rule.ceiling)


def client_of(scope: Mapping[str, Any]) -> str:
    """Return the client of a request or socket; connections without an address are local."""
    peer = scope.get("client")
    return client_at(peer[0]) if peer else LOCALHOST


@lru_cache(10_000)
def client_at(host: str) -> str:
    """Return the client of an address: the address itself, its IPv6 /64 network, or LOCALHOST."""
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


def rate_limited_error(reason: str, seconds: float) -> RefusedError:
    """Return the error for an exceeded limit, which says when to try again."""
    wait = max(1, ceil(seconds))
    when = f"{wait} second{'s' if wait > 1 else ''}" if wait < 120 else f"{ceil(wait / 60)} minutes"
    return RefusedError("rate_limited", f"{reason}: please try again in {when}", retry_after=wait)
