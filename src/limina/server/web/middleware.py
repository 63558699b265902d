"""Around everything that answers HTTP: headers for the browser's safety, and an end to what never ends."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack

from limina.server.errors import ErrorCode, RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.web.asgi import Asgi, Message, Receive, Send
from limina.server.web.rate_limits import client_of
from limina.server.web.services import Services
from limina.server.wire.encoding import dump, error

MOST_BYTES = 64 * 1024
MOST_RECORD_BYTES = 1024 * 1024
MOST_BYTES_IN_ALL = 64 * 1024 * 1024
"""Of all bodies that are being received."""
_BODY_SECONDS = 30.0
_RECORDS = ("/api/replay", "/api/view", "/api/review", "/api/worth", "/api/picture")

_POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
_PRIVATE = (b"cache-control", b"no-store")


class _FullError(Exception):
    """Too much is being received at once."""


class SecurityMiddleware:
    """An ASGI application around another."""

    def __init__(self, app: Asgi, services: Services) -> None:
        self._app = app
        self._limits = services.limits
        self._origins = services.origins
        self._metrics = services.metrics
        self._receiving = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on what is sound."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        api = scope["path"].startswith("/api/")
        begun = time.monotonic()

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *_HEADERS]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_PRIVATE)
                message["headers"] = headers
                if api:
                    self._metrics.request_seconds.observe(time.monotonic() - begun)
            await send(message)

        async def refuse(status: int, code: ErrorCode, sentence: str, *more: tuple[bytes, bytes]) -> None:
            self._metrics.refused.labels(code).inc()
            head = [(b"content-type", b"application/json"), (b"connection", b"close"), *more]
            await safely({"type": "http.response.start", "status": status, "headers": head})
            await safely({"type": "http.response.body", "body": dump(error(code, sentence))})

        with ExitStack() as held:
            try:
                self._origins.check(scope)
                held.enter_context(self._limits.connection_of(scope))
                if api:
                    client = client_of(scope)
                    CURRENT_CLIENT.set(client)
                    self._limits.request(client)
                    held.enter_context(self._limits.requesting(client))
            except RefusedError as caught:
                if caught.retry is None:
                    await refuse(403, caught.code, str(caught))
                else:
                    await refuse(429, caught.code, str(caught), (b"retry-after", str(caught.retry).encode()))
                return
            most = MOST_RECORD_BYTES if scope["path"] in _RECORDS else MOST_BYTES
            try:
                async with asyncio.timeout(_BODY_SECONDS):
                    body = await self._read(receive, most)
            except TimeoutError:
                await refuse(408, "unreadable", f"the request did not come to its end within {_BODY_SECONDS:g} s")
                return
            except _FullError:
                await refuse(503, "too_many", "much is being sent just now: please try again", (b"retry-after", b"5"))
                return
            if body is None:
                await refuse(413, "too_large", f"this is larger than {most // 1024} kB")
                return
            letters = [{"type": "http.request", "body": body, "more_body": False}]

            async def read() -> Message:
                return letters.pop() if letters else await receive()

            await self._app(scope, read, safely)

    async def _read(self, receive: Receive, most: int) -> bytes | None:
        """The whole body, or None if it is too large."""
        parts: list[bytes] = []
        size = 0
        try:
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return b""
                part: bytes = message.get("body", b"")
                size += len(part)
                self._receiving += len(part)
                if size > most:
                    return None
                if self._receiving > MOST_BYTES_IN_ALL:
                    raise _FullError
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
        finally:
            self._receiving -= size
