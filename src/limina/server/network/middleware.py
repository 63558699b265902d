"""ASGI middleware for HTTP: security headers, rate limits, allowed origins, and limits on request bodies."""

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
from limina.server.schemas.json_encoding import dump, error_fields

MAX_BODY_BYTES = 64 * 1024
MAX_RECORD_BODY_BYTES = 1024 * 1024
_BODY_TIMEOUT_SECONDS = 30.0
_RECORD_PATHS = ("/api/replay", "/api/position", "/api/review", "/api/evaluate", "/api/picture")

_CONTENT_SECURITY_POLICY = "; ".join(
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
_SECURITY_HEADERS = [
    (b"content-security-policy", _CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
_NO_STORE = (b"cache-control", b"no-store")


class SecurityMiddleware:
    """ASGI application that checks requests before it passes them to another one, and adds headers to responses."""

    def __init__(self, app: Asgi, limits: RateLimits, origins: Origins, metrics: Metrics) -> None:
        self._app = app
        self._limits = limits
        self._origins = origins
        self._metrics = metrics
        self._upload_bytes = 0
        """Size of the large request bodies that are being received, of all clients."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it if a limit or its origin does not allow it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_api = scope["path"].startswith("/api/")
        started = time.monotonic()

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *_SECURITY_HEADERS]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_NO_STORE)
                message["headers"] = headers
                if is_api:
                    self._metrics.request_seconds.observe(time.monotonic() - started)
            await send(message)

        async def refuse(status: int, code: ErrorCode, reason: str, *headers: tuple[bytes, bytes]) -> None:
            self._metrics.requests_refused.labels(code).inc()
            headers = ((b"content-type", b"application/json"), (b"connection", b"close"), *headers)
            await send_secured({"type": "http.response.start", "status": status, "headers": headers})
            await send_secured({"type": "http.response.body", "body": dump(error_fields(code, reason))})

        client = client_of(scope)
        CURRENT_CLIENT.set(client)
        with ExitStack() as counts:
            max_bytes = MAX_RECORD_BODY_BYTES if scope["path"] in _RECORD_PATHS else MAX_BODY_BYTES
            try:
                self._limits.take(client, "request" if is_api else "page_request")
                counts.enter_context(self._limits.connection_of(scope))
                self._origins.check(scope)
                if is_api:
                    counts.enter_context(self._limits.hold("running_request", client))
                async with asyncio.timeout(_BODY_TIMEOUT_SECONDS):
                    body = await self._read_body(receive, max_bytes, client)
            except RefusedError as refusal:
                status = {"forbidden": 403, "unavailable": 503}.get(refusal.code, 429)
                retry = [] if refusal.retry_after is None else [(b"retry-after", str(refusal.retry_after).encode())]
                await refuse(status, refusal.code, str(refusal), *retry)
                return
            except TimeoutError:
                await refuse(408, "invalid", f"the request body did not arrive within {_BODY_TIMEOUT_SECONDS:g} s")
                return
            if body is None:
                await refuse(413, "too_large", f"the request body is larger than {max_bytes // 1024} kB")
                return
            messages = [{"type": "http.request", "body": body, "more_body": False}]

            async def replay_body() -> Message:
                return messages.pop() if messages else await receive()

            await self._app(scope, replay_body, send_secured)

    async def _read_body(self, receive: Receive, max_bytes: int, client: str) -> bytes | None:
        """Return the whole body; None if it is too large; an empty one if the client disconnects.

        Bodies over MAX_BODY_BYTES count against the limits of uploads, of this client and of all clients.
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
                if size > max_bytes:
                    return None
                if size > MAX_BODY_BYTES:
                    self._limits.add("upload_byte", client, size - counted)
                    self._upload_bytes += size - counted
                    counted = size
                    if self._upload_bytes > MAX_UPLOAD_BYTES:
                        raise RefusedError(
                            "unavailable", "the server is receiving many uploads: please try again", retry_after=5
                        )
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
        finally:
            if counted:
                self._upload_bytes -= counted
                self._limits.remove("upload_byte", client, counted)
