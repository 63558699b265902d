"""The ASGI application of all sockets: each subscribes to one match and is told what it may see as it is saved."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import ExitStack, suppress

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
from limina.server.schemas.json_encoding import dump, error
from limina.server.schemas.socket_messages import Hello

_HELLO_SECONDS = 10.0
_GOODBYE_SECONDS = 1.0
"""What the last words may take to leave."""
_MAX_WAITING_MESSAGES = 4
"""Messages of a socket that may wait for an answer before no more are read."""
_LOG = logging.getLogger("limina.server")
_PATH = re.compile(r"/api/matches/([A-Za-z0-9_-]{6,32})/live")


class LiveSocketApp:
    """All sockets, as an ASGI application."""

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
        """Serve one socket from its opening to its end."""
        try:
            await self._open(scope, receive, send)
        except OSError:
            pass  # the client is gone
        except Exception as error:
            _LOG.error("a socket failed", exc_info=error)

    async def _open(self, scope: Message, receive: Receive, send: Send) -> None:
        await receive()  # the wish to connect
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
            found = _PATH.fullmatch(scope["path"])
            if found is None:
                await send({"type": "websocket.close", "code": 4404, "reason": "there is nothing here"})
                return
            connection: SocketProtocol = scope["state"][CONNECTION]
            connection.byte_budget = self._limits.bucket("socket_byte", client)
            await send({"type": "websocket.accept"})
            subscriber = Subscriber(connection, client, self._limits)
            await self._stay(found[1], subscriber, connection, receive)

    async def _stay(self, match_id: str, subscriber: Subscriber, connection: SocketProtocol, receive: Receive) -> None:
        connection.on_writable = subscriber.flush
        try:
            await self._serve(match_id, subscriber, receive)
        finally:
            # Refused: the reason is on its way. Gone: nobody hears it, and that is all right.
            subscriber.close(1000, "")
            with suppress(TimeoutError):
                async with asyncio.timeout(_GOODBYE_SECONDS):
                    await connection.writable.wait()
            subscriber.release()
            connection.on_writable = None

    async def _serve(self, match_id: str, subscriber: Subscriber, receive: Receive) -> None:
        parser = MessageParser(self._limits, self._metrics, subscriber)
        try:
            with self._limits.hold("socket_before_hello", subscriber.client):
                # Whoever says nothing at first is not waited for; later, silence is all right.
                async with asyncio.timeout(_HELLO_SECONDS):
                    hello = await _first(subscriber, parser, receive)
            if hello is None:
                return
            loaded = await self._matches.get(match_id)
            seats = loaded.match.seats_of(hello.seat_tokens)
            visibility.check_admitted(loaded.match, seats)
            subscriber.set_seats(loaded.match, seats)
        except LiminaError as caught:
            parser.refuse(None, caught)
            if isinstance(caught, RefusedError) and caught.code == "rate_limited":
                subscriber.close(1013, "too many")
            return
        # From here to its first state nothing is waited for: no update comes before that.
        self._subscribe(loaded, subscriber)
        handler = SocketHandler(self._matches, self._messages, self._metrics, loaded, subscriber, parser)
        try:
            handler.send_state(hello, seats)
            while (event := await receive())["type"] == "websocket.receive":
                if handler.receive(_content(event)) > _MAX_WAITING_MESSAGES:
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


async def _first(subscriber: Subscriber, parser: MessageParser, receive: Receive) -> Hello | None:
    """Return the hello, or None if the socket ends before."""
    while (event := await receive())["type"] == "websocket.receive":
        parsed = parser.parse(_content(event), hello=True)
        if isinstance(parsed, Hello):
            return parsed
        if parsed is not None:
            subscriber.send(message("refused", request_id=None, **error("invalid", "say hello first")))
    return None


def _content(event: Message) -> str | bytes:
    """Return the text or the bytes of a message."""
    content: str | bytes | None = event.get("text")
    return event["bytes"] if content is None else content


async def _deny(send: Send, status: int, caught: RefusedError) -> None:
    """Refuse a socket before it is one, which costs the least."""
    headers = [(b"content-type", b"application/json")]
    if caught.retry_after is not None:
        headers.append((b"retry-after", str(caught.retry_after).encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": dump(error(caught.code, str(caught)))})
