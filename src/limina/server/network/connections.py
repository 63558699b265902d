"""Count open connections, of each client and of all, and limit them.

When the server is full, the oldest connection without a seat is closed for a new one, so that spectators and idle
clients cannot keep players out. Connections of players are never closed for that.
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
except ImportError:  # not on this system: its descriptor limit is left to the host
    resource = None  # type: ignore[assignment]

_RESERVED_DESCRIPTORS = 200
"""File descriptors that stay free for the database, the log and subprocesses."""
_MIN_CONNECTIONS = 50
"""Connections that are allowed even if the system grants fewer descriptors than are reserved."""


class TrustedProxies:
    """Addresses of proxies. A connection from a proxy counts for the client that uses it, while it is used.

    >>> "10.1.2.3" in TrustedProxies("127.0.0.1, 10.0.0.0/8"), "192.0.2.1" in TrustedProxies("127.0.0.1")
    (True, False)
    """

    def __init__(self, addresses: str | None) -> None:
        self._names = {name.strip() for name in (addresses or "").split(",") if name.strip()}
        self._trusts_all = "*" in self._names
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for name in self._names:
            try:
                self._networks.append(ipaddress.ip_network(name, strict=False))
            except ValueError:
                continue  # a host name, or the peer name of a proxy on a Unix socket

    def __contains__(self, host: str) -> bool:
        if not self._names:
            return False
        if self._trusts_all or host in self._names:
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


class Connections:
    """The open connections of the server, by transport."""

    def __init__(
        self, limits: RateLimits, proxies: TrustedProxies | None = None, max_connections: int | None = None
    ) -> None:
        self._limits = limits
        self._proxies = proxies or TrustedProxies(None)
        self._max_connections = max_connections or limits.client_limits.max_connections_total
        self._counts: dict[asyncio.Transport, ExitStack] = {}
        """Each connection with what it counts for its client."""
        self._without_seat: OrderedDict[asyncio.Transport, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._counts)

    def raise_descriptor_limit(self) -> None:
        """Raise the process's limit of file descriptors if the system allows it, else reduce the maximum to fit."""
        if resource is None:
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        needed = self._max_connections + _RESERVED_DESCRIPTORS
        if soft != resource.RLIM_INFINITY and soft < needed:
            soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft != resource.RLIM_INFINITY:
            self._max_connections = min(self._max_connections, max(soft - _RESERVED_DESCRIPTORS, _MIN_CONNECTIONS))

    def is_proxy(self, host: str | None) -> bool:
        """Return True if the address is a trusted proxy's."""
        return host is not None and host in self._proxies

    def admit(self, transport: asyncio.Transport, host: str | None) -> bool:
        """Count a new connection and return True; return False if a limit does not allow it."""
        counts = ExitStack()
        if host is not None and not self.is_proxy(host):
            client = client_at(host)
            try:
                self._limits.take(client, "new_connection")
                counts.enter_context(self._limits.hold("connection", client))
            except RefusedError:
                return False
        if len(self._counts) >= self._max_connections and not self._evict_oldest():
            counts.close()
            return False
        self._counts[transport] = counts
        self._without_seat[transport] = None
        return True

    def _evict_oldest(self) -> bool:
        if not self._without_seat:
            return False
        oldest, _ = self._without_seat.popitem(last=False)
        self.release(oldest)
        oldest.abort()
        return True

    def release(self, transport: asyncio.Transport) -> None:
        """Stop counting a connection that is lost."""
        self._without_seat.pop(transport, None)
        counts = self._counts.pop(transport, None)
        if counts is not None:
            counts.close()

    def set_seated(self, transport: asyncio.Transport, seated: bool) -> None:
        """Set whether the client of a connection holds a seat, which keeps the connection from being evicted."""
        if seated:
            self._without_seat.pop(transport, None)
        elif transport in self._counts:
            self._without_seat.setdefault(transport)


def connections_of(app_state: Mapping[str, Any]) -> Connections:
    """Return the connections of the server from the state that uvicorn passes to its protocols."""
    connections: Connections = app_state["connections"]
    return connections
