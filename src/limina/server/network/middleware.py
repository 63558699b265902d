"""Around everything that answers HTTP: headers for the browser's safety, and an end to what never ends."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack

from limina.server.errors import ErrorCode, RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.monitoring.metrics import Metrics
from limina.server.network.asgi import Asgi, Message, Receive, Send
from limina.server.network.origins import Origins
from limina.server.network.rate_limits import MAX_UPLOAD_BYTES, RateLimits, client_of
from limina.server.schemas.json_encoding import dump, error

MAX_BODY_BYTES = 64 * 1024
MAX_RECORD_BODY_BYTES = 1024 * 1024
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


class SecurityMiddleware:
    """An ASGI application around another."""

    def __init__(self, app: Asgi, limits: RateLimits, origins: Origins, metrics: Metrics) -> None:
        self._app = app
        self._limits = limits
        self._origins = origins
        self._metrics = metrics
        self._arriving = 0
        """Bytes of large bodies that are being received, of all clients."""

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
            self._metrics.requests_refused.labels(code).inc()
            head = [(b"content-type", b"application/json"), (b"connection", b"close"), *more]
            await safely({"type": "http.response.start", "status": status, "headers": head})
            await safely({"type": "http.response.body", "body": dump(error(code, sentence))})

        client = client_of(scope)
        CURRENT_CLIENT.set(client)
        with ExitStack() as held:
            most = MAX_RECORD_BODY_BYTES if scope["path"] in _RECORDS else MAX_BODY_BYTES
            try:
                self._limits.take(client, "request" if api else "page_request")
                held.enter_context(self._limits.connection_of(scope))
                self._origins.check(scope)
                if api:
                    held.enter_context(self._limits.hold("running_request", client))
                async with asyncio.timeout(_BODY_SECONDS):
                    body = await self._read(receive, most, client)
            except RefusedError as caught:
                status = {"forbidden": 403, "unavailable": 503}.get(caught.code, 429)
                retry = [] if caught.retry_after is None else [(b"retry-after", str(caught.retry_after).encode())]
                await refuse(status, caught.code, str(caught), *retry)
                return
            except TimeoutError:
                await refuse(408, "unreadable", f"the request did not come to its end within {_BODY_SECONDS:g} s")
                return
            if body is None:
                await refuse(413, "too_large", f"this is larger than {most // 1024} kB")
                return
            letters = [{"type": "http.request", "body": body, "more_body": False}]

            async def read() -> Message:
                return letters.pop() if letters else await receive()

            await self._app(scope, read, safely)

    async def _read(self, receive: Receive, most: int, client: str) -> bytes | None:
        """Return the whole body, or None if it is too large.

        A body over MAX_BODY_BYTES takes a share of what all clients may send at once, and of what one client may.
        """
        parts: list[bytes] = []
        size = counted = 0
        try:
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return b""
                part: bytes = message.get("body", b"")
                size += len(part)
                if size > most:
                    return None
                if size > MAX_BODY_BYTES:
                    self._limits.add("upload_byte", client, size - counted)
                    self._arriving += size - counted
                    counted = size
                    if self._arriving > MAX_UPLOAD_BYTES:
                        raise RefusedError(
                            "unavailable", "much is being sent just now: please try again", retry_after=5
                        )
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
        finally:
            if counted:
                self._arriving -= counted
                self._limits.remove("upload_byte", client, counted)
