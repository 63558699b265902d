"""The ASGI application of the sockets, each of which subscribes to a match."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import ExitStack, suppress

from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.live.handler import MessageParser, SocketHandler
from limina.server.live.messages import MessageBuilder, message
from limina.server.live.subscribers import Subscriber, Subscribers
from limina.server.matches import LoadedMatch, MatchService, visibility
from limina.server.monitoring.metrics import Metrics
from limina.server.network.asgi import Message, Receive, Send
from limina.server.network.origins import Origins
from limina.server.network.rate_limits import RateLimits, client_of
from limina.server.network.socket_protocol import CONNECTION, SocketProtocol
from limina.server.schemas.json_encoding import dump, error_fields
from limina.server.schemas.socket_messages import Hello

_HELLO_TIMEOUT_SECONDS = 10.0
_FLUSH_TIMEOUT_SECONDS = 1.0
"""Time to send the last messages before a socket is closed."""
_MAX_QUEUED_MESSAGES = 4
"""Maximum number of the unhandled messages of a socket. The server reads no further messages until they are handled."""
_LOG = logging.getLogger("limina.server")
_PATH_PATTERN = re.compile(r"/api/matches/([A-Za-z0-9_-]{6,32})/live")


class LiveSocketApp:
    """The ASGI application of all sockets."""

    def __init__(
        self, matches: MatchService, messages: MessageBuilder, limits: RateLimits, origins: Origins, metrics: Metrics
    ) -> None:
        self._matches = matches
        self._messages = messages
        self._limits = limits
        self._origins = origins
        self._metrics = metrics
        self._subscribers: dict[LoadedMatch, Subscribers] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve a socket from the handshake to its close."""
        try:
            await self._accept(scope, receive, send)
        except OSError:
            pass  # the client has disconnected, or has sent no hello in time
        except Exception as error:
            _LOG.error("socket: %s failed", quote_truncated(scope["path"]), exc_info=error)

    async def _accept(self, scope: Message, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        client = client_of(scope)
        CURRENT_CLIENT.set(client)
        with ExitStack() as held:
            try:
                self._limits.take(client, "new_connection")
                held.enter_context(self._limits.connection_of(scope))
                self._origins.check(scope)
            except RefusedError as caught:
                self._metrics.requests_refused.labels(caught.code).inc()
                await _deny(send, 403 if caught.code == "forbidden" else 429, caught)
                return
            path = _PATH_PATTERN.fullmatch(scope["path"])
            if path is None:
                await send({"type": "websocket.close", "code": 4404, "reason": "there is nothing at this address"})
                return
            connection: SocketProtocol = scope["state"][CONNECTION]
            connection.byte_budget = self._limits.bucket("socket_byte", client)
            await send({"type": "websocket.accept"})
            subscriber = Subscriber(connection, client, self._limits)
            await self._serve(path[1], subscriber, connection, receive)

    async def _serve(self, match_id: str, subscriber: Subscriber, connection: SocketProtocol, receive: Receive) -> None:
        connection.on_writable = subscriber.flush
        try:
            await self._exchange_messages(match_id, subscriber, receive)
        finally:
            subscriber.close(1000, "")
            with suppress(TimeoutError):
                async with asyncio.timeout(_FLUSH_TIMEOUT_SECONDS):
                    await connection.writable.wait()
            subscriber.release()
            connection.on_writable = None

    async def _exchange_messages(self, match_id: str, subscriber: Subscriber, receive: Receive) -> None:
        parser = MessageParser(self._limits, self._metrics, subscriber)
        try:
            with self._limits.hold("socket_before_hello", subscriber.client):
                async with asyncio.timeout(_HELLO_TIMEOUT_SECONDS):
                    hello = await _receive_hello(subscriber, parser, receive)
            if hello is None:
                return
            loaded = await self._matches.get(match_id)
            seats = loaded.match.seats_of(hello.seat_tokens)
            visibility.check_can_watch(loaded.match, seats)
            subscriber.set_seats(loaded.match, seats)
        except LiminaError as caught:
            parser.refuse(None, caught)
            if isinstance(caught, RefusedError) and caught.code == "rate_limited":
                subscriber.close(1013, "too many")
            return
        # No `await` from here to `send_state`, so that no update comes before the state.
        self._subscribe(loaded, subscriber)
        handler = SocketHandler(self._matches, self._messages, self._metrics, loaded, subscriber, parser)
        try:
            handler.send_state(hello, seats)
            while (event := await receive())["type"] == "websocket.receive":
                if handler.receive(_content(event)) > _MAX_QUEUED_MESSAGES:
                    await handler.finish()
            await handler.finish()
        finally:
            self._unsubscribe(loaded, subscriber)

    def _subscribe(self, loaded: LoadedMatch, subscriber: Subscriber) -> None:
        subscribers = self._subscribers.get(loaded)
        if subscribers is None:
            subscribers = self._subscribers[loaded] = Subscribers(loaded, self._messages)
        subscribers.members.add(subscriber)
        self._matches.watch(loaded)

    def _unsubscribe(self, loaded: LoadedMatch, subscriber: Subscriber) -> None:
        subscribers = self._subscribers[loaded]
        subscribers.members.discard(subscriber)
        if not subscribers.members:
            loaded.subscribers.discard(subscribers.publish)
            loaded.viewers = ()
            del self._subscribers[loaded]


async def _receive_hello(subscriber: Subscriber, parser: MessageParser, receive: Receive) -> Hello | None:
    """Return the first `hello`, or None if the socket is closed before. Refuse other messages."""
    while (event := await receive())["type"] == "websocket.receive":
        parsed = parser.parse(_content(event), hello=True)
        if isinstance(parsed, Hello):
            return parsed
        if parsed is not None:
            error = error_fields("invalid", "the first message must be a hello")
            subscriber.send(message("refused", request_id=None, **error))
    return None


def _content(event: Message) -> str | bytes:
    """Return the text or the bytes of an ASGI event."""
    content: str | bytes | None = event.get("text")
    return event["bytes"] if content is None else content


async def _deny(send: Send, status: int, caught: RefusedError) -> None:
    """Reject the handshake with an HTTP response."""
    headers = [(b"content-type", b"application/json")]
    if caught.retry_after is not None:
        headers.append((b"retry-after", str(caught.retry_after).encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": dump(error_fields(caught.code, str(caught)))})
