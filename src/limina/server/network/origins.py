"""Check the `Host` and `Origin` headers of requests.

A browser sends the origin of the page that makes a request. Without the check, a page of another site could create
matches and open sockets with its visitors' browsers. A page whose host name resolves to this machine for a moment (DNS
rebinding) could also read the responses, so a server that listens on this machine only accepts no other host names.
Programs that are not browsers send no `Origin` and are accepted.
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

_DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443"}
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@\s]+)(?::(\d{1,5}))?")
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Origins:
    """The host names of the server and the origins of its pages."""

    def __init__(self, settings: ServerSettings) -> None:
        self._pages = {_canonical(origin) for origin in settings.origins}
        self._names = {urlsplit(page).hostname for page in self._pages} | {"localhost", settings.host.lower()}
        # A server that others can reach has names that it cannot know unless the host lists its origins.
        self._any_name = not settings.origins and (
            settings.trusted_proxies is not None or not is_loopback(settings.host)
        )

    def check(self, scope: Mapping[str, Any]) -> None:
        """Raise RefusedError for a request with a foreign host name, or from a page of another site."""
        host = origin = None
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.decode("latin-1").lower()
            elif name == b"origin":
                origin = value.decode("latin-1").lower()
        if host is not None and not self._is_own_host(host):
            reason = f"this server has no name {quote_truncated(host)}: its host can add it with --origin"
            raise RefusedError("forbidden", reason)
        if origin is None or scope.get("method", "") in _SAFE_METHODS:
            return
        if origin not in self._pages and (host is None or not _is_same_site(origin, host)):
            reason = f"pages of {quote_truncated(origin)} may not use this server: its host can allow it with --origin"
            raise RefusedError("forbidden", reason)

    def _is_own_host(self, host: str) -> bool:
        parts = _HOST.fullmatch(host)
        if parts is None:
            return False
        # Numeric addresses are safe: DNS rebinding needs a host name.
        return self._any_name or parts[1] in self._names or _parse_ip(parts[1].strip("[]")) is not None


def is_loopback(host: str) -> bool:
    """Return True if a server that listens on the host can be reached from this machine only."""
    address = _parse_ip(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _canonical(text: str) -> str:
    """Return an origin in lower case without the default port of its scheme."""
    invalid = LiminaError(f"an origin is an address such as https://games.example.org, not {quote_truncated(text)}")
    try:
        parts = urlsplit(text.strip().lower().rstrip("/"))
        _ = parts.port  # raises ValueError for a port above 65535
    except ValueError:  # also for an unmatched bracket, or a bracketed host that is not an IPv6 address
        raise invalid from None
    has_rest = bool(parts.path or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc) or has_rest:
        raise invalid
    return f"{parts.scheme}://{parts.netloc.removesuffix(':' + _DEFAULT_PORTS[parts.scheme])}"


def _is_same_site(origin: str, host: str) -> bool:
    """Return True if the origin has the host of the request. Behind a proxy the scheme of the request is unknown."""
    try:
        parts = urlsplit(origin)
    except ValueError:  # an unmatched bracket
        return False
    if parts.scheme not in _DEFAULT_PORTS:
        return False
    suffix = f":{_DEFAULT_PORTS[parts.scheme]}"
    return parts.netloc.removesuffix(suffix) == host.removesuffix(suffix)


def _parse_ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
