"""Which names this server goes by, and whose pages may ask it for something.

A browser says in `Origin` which page sends a request; programs that are no browsers say nothing, and may. Another
site's page could otherwise let its visitors begin games and open sockets here, and one whose name leads to this machine
for a moment (DNS rebinding) could read the answers too: so a server for this machine alone has no other names.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.settings import ServerSettings

_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443"}
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@\s]+)(?::(\d{1,5}))?")
_HARMLESS = ("GET", "HEAD", "OPTIONS")


class Origins:
    """The names and the pages that are known."""

    def __init__(self, settings: ServerSettings) -> None:
        self._pages = {_canonical(each) for each in settings.origins}
        self._names = {urlsplit(page).hostname for page in self._pages} | {"localhost", settings.host.lower()}
        # Where others reach it and nothing is said of its names, they cannot be known.
        self._any_name = not settings.origins and (
            settings.trusted_proxies is not None or not is_loopback(settings.host)
        )

    def check(self, scope: Mapping[str, Any]) -> None:
        """Refuse what is meant for another server, or sent by another site's page."""
        host = origin = None
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.decode("latin-1").lower()
            elif name == b"origin":
                origin = value.decode("latin-1").lower()
        if host is not None and not self._known(host):
            said = f"this server is not known as {quote_truncated(host)}: whoever hosts it can say so with --origin"
            raise RefusedError("forbidden", said)
        if origin is None or scope.get("method", "") in _HARMLESS:
            return
        if origin not in self._pages and (host is None or not _same(origin, host)):
            pages = quote_truncated(origin)
            said = f"pages of {pages} may not ask this server: whoever hosts it can allow it with --origin"
            raise RefusedError("forbidden", said)

    def _known(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        # A number is nobody's name: no other site can be behind it.
        return self._any_name or found[1] in self._names or _address(found[1].strip("[]")) is not None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    address = _address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _canonical(text: str) -> str:
    wrong = LiminaError(f"an origin is an address such as https://games.example.org, not {quote_truncated(text)}")
    try:
        parts = urlsplit(text.strip().lower().rstrip("/"))
        _ = parts.port  # raises ValueError for a port above 65535
    except ValueError:  # also for an unmatched bracket, or a bracketed host that is not an IPv6 address
        raise wrong from None
    more = parts.path or parts.query or parts.fragment
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc) or more:
        raise wrong
    return f"{parts.scheme}://{parts.netloc.removesuffix(':' + _PORTS[parts.scheme])}"


def _same(origin: str, host: str) -> bool:
    """Whether a page comes from the server that it asks; behind a web server nobody knows which scheme it was."""
    try:
        parts = urlsplit(origin)
    except ValueError:  # half of an address, in brackets
        return False
    usual = _PORTS.get(parts.scheme)
    return usual is not None and parts.netloc.removesuffix(f":{usual}") == host.removesuffix(f":{usual}")


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
