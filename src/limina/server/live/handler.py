"""Parses and handles the messages of a socket, one after the other.

Most messages are handled without a task, which would take more time than a turn.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import ValidationError

from limina.errors import LiminaError
from limina.server.errors import RefusedError, error_code
from limina.server.live.messages import MessageBuilder, message, refused_message, saved_turn
from limina.server.live.subscribers import Subscriber
from limina.server.matches import LoadedMatch, MatchService, visibility
from limina.server.matches.match import PlayedTurn
from limina.server.matches.visibility import Audience, Seats
from limina.server.monitoring.metrics import Metrics
from limina.server.network.rate_limits import LIMITS, RateLimits, rate_limited_error
from limina.server.schemas.json_encoding import error_fields, validation_message
from limina.server.schemas.socket_messages import GetLegal, GetPreview, Hello, Ping, PlayTurn, read_client_message

_MAX_REFUSALS = 200
"""Close a socket after this number of messages beyond its rate limit."""
_PONG = message("pong")
_COSTS: dict[type, int] = {Ping: 1, PlayTurn: 1, GetLegal: 2, GetPreview: 3, Hello: 4}
"""Cost of a message for the rate limit, by its processor time. Turns are cheaper than their time."""
_LOG = logging.getLogger("limina.server")

ClientMessage = Hello | PlayTurn | GetPreview | GetLegal | Ping


def request_id_of(parsed: ClientMessage | None) -> str | None:
    """Return the text by which a refusal refers to this message."""
    if isinstance(parsed, PlayTurn):
        return parsed.idempotency_key
    return parsed.request_id if isinstance(parsed, GetPreview | GetLegal) else None


class MessageParser:
    """Parses the messages of a socket, and refuses those that are invalid or exceed the rate limit."""

    def __init__(self, limits: RateLimits, metrics: Metrics, subscriber: Subscriber) -> None:
        self._bucket = limits.bucket("message", subscriber.client)
        self._refused = metrics.requests_refused
        self._subscriber = subscriber
        self._refusals = 0

    def parse(self, content: str | bytes, *, hello: bool = False) -> ClientMessage | None:
        """Return the message, or None if it was refused. Raise RefusedError for a first hello beyond the rate limit."""
        parsed: ClientMessage | None
        subscriber = self._subscriber
        try:
            parsed = read_client_message(content)
        except ValidationError as error:
            parsed = None
            details = error.errors(include_url=False, include_input=False, include_context=False)
            reason = validation_message(details)
        wait = self._bucket.take(time.monotonic(), _COSTS.get(type(parsed), 1))
        if wait:
            refusal = rate_limited_error(LIMITS["message"].message, wait)
            if hello and isinstance(parsed, Hello):
                raise refusal  # without its state the client would wait forever
            self._refusals += 1
            if self._refusals > _MAX_REFUSALS:
                subscriber.close(1008, "too many messages")
            else:
                self.refuse(request_id_of(parsed), refusal)
            return None
        if parsed is None:
            subscriber.send(message("refused", request_id=None, **error_fields("invalid", reason)))
        return parsed

    def refuse(self, request_id: str | None, caught: LiminaError) -> None:
        """Send the error of a request."""
        self._refused.labels(error_code(caught)).inc()
        self._subscriber.send(refused_message(request_id, caught))


class SerialExecutor:
    """Handles messages one after the other."""

    def __init__(self) -> None:
        self._queue: deque[str | bytes] = deque()
        self._idle = asyncio.Event()
        self._idle.set()

    def handle(self, content: str | bytes) -> asyncio.Future[Any] | None:
        """Handle a message, and return a future if the next message has to wait. Must not raise."""
        raise NotImplementedError

    def receive(self, content: str | bytes) -> int:
        """Handle a message after all earlier ones. Return the number of messages in the queue."""
        self._queue.append(content)
        if self._idle.is_set():
            self._idle.clear()
            self._handle_next()
        return len(self._queue)

    async def finish(self) -> None:
        """Wait until all messages are handled."""
        await self._idle.wait()

    def _handle_next(self, _: object = None) -> None:
        if not self._queue:
            self._idle.set()
            return
        try:
            pending = self.handle(self._queue.popleft())
        except BaseException:  # let `finish` return
            self._queue.clear()
            self._idle.set()
            raise
        if pending is not None:
            pending.add_done_callback(self._handle_next)
        else:  # let other connections proceed before the next message
            asyncio.get_running_loop().call_soon(self._handle_next)


@dataclass(eq=False)
class SocketHandler(SerialExecutor):
    """Handles the messages of a subscriber."""

    matches: MatchService
    messages: MessageBuilder
    metrics: Metrics
    loaded: LoadedMatch
    subscriber: Subscriber
    parser: MessageParser

    def __post_init__(self) -> None:
        super().__init__()

    def send_state(self, hello: Hello, seats: Seats) -> None:
        """Answer a `hello` whose tokens hold these seats: with the state, or with `current`."""
        match, subscriber = self.loaded.match, self.subscriber
        if not match.can_watch(seats):
            subscriber.close(1012, "please reconnect")
            return
        if seats != subscriber.audience.seats:
            try:
                subscriber.set_seats(match, seats)
            except RefusedError as caught:
                self.parser.refuse(None, caught)
                subscriber.close(1013, "too many")
                return
        subscriber.audience = Audience(seats, hello.legal)
        if hello.version == match.version:
            subscriber.send(message("current", version=match.version))
        else:
            subscriber.send(self.messages.state_message(match, subscriber.audience))

    def handle(self, content: str | bytes) -> asyncio.Future[Any] | None:
        """Handle a message, and return a future if it is answered later."""
        request_id = None
        try:
            parsed = self.parser.parse(content)
            request_id = request_id_of(parsed)
            if isinstance(parsed, PlayTurn):
                return self._play(parsed)
            if isinstance(parsed, Hello):
                return asyncio.create_task(self._handle_hello(parsed))
            if parsed is not None:
                self._handle_query(parsed)
        except Exception as caught:
            self._fail(request_id, caught)
        return None

    def _fail(self, request_id: str | None, caught: BaseException) -> None:
        """Refuse a request, or close the socket if the error is a bug."""
        if isinstance(caught, LiminaError):
            self.parser.refuse(request_id, caught)
        else:
            _LOG.error("socket: handling a message of match %s failed", self.loaded.match.id, exc_info=caught)
            self._queue.clear()
            self.subscriber.close(1000, "")

    def _handle_query(self, query: GetPreview | GetLegal | Ping) -> None:
        match, subscriber = self.loaded.match, self.subscriber
        if isinstance(query, Ping):
            subscriber.send(_PONG)
            return
        seats, fields = subscriber.audience.seats, {"request_id": query.request_id, "version": match.version}
        if isinstance(query, GetPreview):
            preview = visibility.preview(match, seats, query.seat_index, query.turn)
            subscriber.send(message("preview", **fields, preview=preview))
        else:
            visibility.check_seat_held(seats, query.seat_index)
            legal = self.messages.legal(match, query.seat_index)
            subscriber.send(message("legal", **fields, seat_index=query.seat_index, legal=legal))

    async def _handle_hello(self, hello: Hello) -> None:
        try:
            await self.matches.refresh(self.loaded)  # another process may have given out the token
            self.send_state(hello, self.loaded.match.seats_of(hello.seat_tokens))
        except Exception as caught:
            self._fail(None, caught)

    def _play(self, turn: PlayTurn) -> asyncio.Future[PlayedTurn]:
        started, seats = time.monotonic(), self.subscriber.audience.seats
        key = turn.idempotency_key
        pending = self.matches.submit_turn(self.loaded, seats, turn.seat_index, turn.turn_index, turn.turn, key)
        pending.add_done_callback(partial(self._acknowledge, key, started))
        return pending

    def _acknowledge(self, key: str, started: float, pending: asyncio.Future[PlayedTurn]) -> None:
        try:
            self.subscriber.send(message("played", **saved_turn(key, pending.result())))
            self.metrics.count_turn(time.monotonic() - started)
        except Exception as caught:
            self._fail(key, caught)
