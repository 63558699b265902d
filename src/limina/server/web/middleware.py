"""Around everything that answers HTTP: headers for the browser's safety, and an end to what never ends."""

from __future__ import annotations

import asyncio

from limina.server.errors import ErrorCode, RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.web.asgi import Asgi, Message, Receive, Send
from limina.server.web.rate_limits import RateLimits, client_of
from limina.server.wire.encoding import dump, error

MOST_BYTES = 64 * 1024
MOST_RECORD_BYTES = 1024 * 1024
_BODY_SECONDS = 30.0
_RECORDS = ("/api/replay", "/api/view", "/api/review")

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


class SecurityMiddleware:
    """An ASGI application around another."""

    def __init__(self, app: Asgi, limits: RateLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on what is sound."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        async def refuse(status: int, code: ErrorCode, sentence: str, *more: tuple[bytes, bytes]) -> None:
            head = [(b"content-type", b"application/json"), (b"connection", b"close"), *more]
            await safely({"type": "http.response.start", "status": status, "headers": head})
            await safely({"type": "http.response.body", "body": dump(error(code, sentence))})

        try:
            if scope["path"].startswith("/api/"):
                CURRENT_CLIENT.set(client_of(scope))
                self._limits.request(client_of(scope))
        except RefusedError as caught:
            await refuse(429, caught.code, str(caught), (b"retry-after", str(caught.retry).encode()))
            return
        most = MOST_RECORD_BYTES if scope["path"] in _RECORDS else MOST_BYTES
        try:
            body = await asyncio.wait_for(_read(receive, most), _BODY_SECONDS)
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


async def _read(receive: Receive, most: int) -> bytes | None:
    """The whole body, or None if it is too large."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)
