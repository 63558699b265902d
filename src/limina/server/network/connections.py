"""All connections: how many there may be, of one client and in all, and which goes first when there is no more room.

Whoever holds a seat keeps their connection. When all room is taken, the oldest connection without a seat makes way for
a new one, so that neither watching nor saying nothing keeps players out.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from limina.server.errors import RefusedError
from limina.server.network.rate_limits import RateLimits, client_at

try:
    import resource
except ImportError:  # not on this system: there, whoever hosts has to take care
    resource = None  # type: ignore[assignment]

_RESERVED = 200
"""Descriptors for the database, the log, and the processes that review and play."""
_FEWEST = 50


class TrustedProxies:
    """The addresses whose connections are made for others: those are counted while they are used, for whom they are.

    >>> "10.1.2.3" in TrustedProxies("127.0.0.1, 10.0.0.0/8"), "192.0.2.1" in TrustedProxies("127.0.0.1")
    (True, False)
    """

    def __init__(self, addresses: str | None) -> None:
        words = [word.strip() for word in (addresses or "").split(",") if word.strip()]
        self._anybody = "*" in words
        self._names = set(words)
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for word in words:
            try:
                self._networks.append(ipaddress.ip_network(word, strict=False))
            except ValueError:
                continue  # a name, or something that only a proxy on a Unix socket says

    def __contains__(self, host: str) -> bool:
        if not self._names:
            return False
        if self._anybody or host in self._names:
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


class Connections:
    """Every open connection, by its transport."""

    def __init__(
        self, limits: RateLimits, proxies: TrustedProxies | None = None, max_connections: int | None = None
    ) -> None:
        self._limits = limits
        self._proxies = proxies or TrustedProxies(None)
        self._max_connections = max_connections or limits.client_limits.max_connections_total
        self._held: dict[asyncio.Transport, ExitStack] = {}
        self._without_seat: OrderedDict[asyncio.Transport, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def raise_descriptor_limit(self) -> None:
        """Use all descriptors that the system grants, and allow no more connections than there are."""
        if resource is None:
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = self._max_connections + _RESERVED
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft != resource.RLIM_INFINITY:
            self._max_connections = min(self._max_connections, max(soft - _RESERVED, _FEWEST))

    def is_proxy(self, host: str | None) -> bool:
        """Whether connections from there are a proxy's."""
        return host is not None and host in self._proxies

    def admit(self, transport: asyncio.Transport, host: str | None) -> bool:
        """Take in a new connection; whether there is room for it."""
        held = ExitStack()
        if host is not None and not self.is_proxy(host):
            client = client_at(host)
            try:
                self._limits.take(client, "new_connection")
                held.enter_context(self._limits.hold("connection", client))
            except RefusedError:
                return False
        if len(self._held) >= self._max_connections and not self._make_room():
            held.close()
            return False
        self._held[transport] = held
        self._without_seat[transport] = None
        return True

    def _make_room(self) -> bool:
        if not self._without_seat:
            return False
        oldest, _ = self._without_seat.popitem(last=False)
        self.release(oldest)
        oldest.abort()
        return True

    def release(self, transport: asyncio.Transport) -> None:
        """A connection is gone."""
        self._without_seat.pop(transport, None)
        held = self._held.pop(transport, None)
        if held is not None:
            held.close()

    def set_seated(self, transport: asyncio.Transport, seated: bool) -> None:
        """Whoever is at the other end holds a seat, or no longer does."""
        if seated:
            self._without_seat.pop(transport, None)
        elif transport in self._held:
            self._without_seat.setdefault(transport)


def connections_of(app_state: Mapping[str, Any]) -> Connections:
    """All connections of the server that a connection belongs to."""
    found: Connections = app_state["connections"]
    return found
