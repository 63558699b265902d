"""What one client may have and do at once. A client is an address; of IPv6, the network that one household gets.

Whoever sits at the machine itself may do much more than others: it is theirs. Counts are kept for the latest clients
only, so that a flood of addresses fills no memory.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from typing import Any

from limina.server.errors import RefusedError
from limina.server.settings import Allowed

HOME = "home"
"""The client at the machine itself."""
_MOST_CLIENTS = 20_000


class TokenBucket:
    """Fills evenly over time; each act takes a token.

    >>> bucket = TokenBucket(2, 60.0, now=0.0)
    >>> [bucket.take(0.0), bucket.take(0.0), bucket.take(0.0), bucket.take(40.0)]
    [0.0, 0.0, 30.0, 0.0]
    """

    __slots__ = ("_filled", "_size", "_speed", "_tokens")

    def __init__(self, size: float, seconds: float, now: float) -> None:
        self._size = self._tokens = size
        self._speed = size / seconds
        self._filled = now

    def take(self, now: float) -> float:
        """Take a token, and 0; or how many seconds until there is one."""
        self._tokens = min(self._size, self._tokens + (now - self._filled) * self._speed)
        self._filled = now
        if self._tokens < 1:
            return (1 - self._tokens) / self._speed
        self._tokens -= 1
        return 0.0


class RateLimits:
    """Counts what clients do and refuses what is too much, in a sentence that says when to come back."""

    def __init__(self, allowed: Allowed | None = None) -> None:
        self._allowed = allowed or Allowed()
        self._buckets: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()
        self._held: Counter[tuple[str, str]] = Counter()

    def request(self, client: str) -> None:
        """Somebody asks for something over HTTP."""
        self._take("request", client, self._allowed.requests_per_minute, 60, "that was too much at once")

    def new_match(self, client: str) -> None:
        """Somebody begins a match."""
        allowed = self._allowed
        self._take("minute", client, allowed.matches_per_minute, 60, "you have begun many games just now")
        self._take("hour", client, allowed.matches_per_hour, 3600, "you have begun many games in the last hour")

    def messages(self, client: str) -> TokenBucket:
        """For the messages of one socket."""
        each = self._allowed.messages_per_second * self._factor(client)
        return TokenBucket(10 * each, 10, time.monotonic())

    @contextmanager
    def socket(self, client: str, match: str) -> Iterator[None]:
        """An open socket, of a client and at a match."""
        with (
            self._hold("client", client, self._allowed.sockets * self._factor(client), "you have many games open"),
            self._hold("match", match, self._allowed.sockets_per_match, "many watch this game already"),
        ):
            yield

    @contextmanager
    def analysis(self, client: str) -> Iterator[None]:
        """A review or a hint that is being made."""
        most = self._allowed.studies * self._factor(client)
        with self._hold("analysis", client, most, "we are still thinking about your other games"):
            yield

    def _factor(self, client: str) -> int:
        return self._allowed.at_home if client == HOME else 1

    def _take(self, what: str, client: str, most: int, seconds: float, sentence: str) -> None:
        key, now = (what, client), time.monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(most * self._factor(client), seconds, now)
            if len(self._buckets) > _MOST_CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        wait = bucket.take(now)
        if wait:
            raise too_many(sentence, wait)

    @contextmanager
    def _hold(self, what: str, who: str, most: int, sentence: str) -> Iterator[None]:
        key = (what, who)
        if self._held[key] >= most:
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
    return _client(peer[0]) if peer else HOME


@lru_cache(10_000)
def _client(host: str) -> str:
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
