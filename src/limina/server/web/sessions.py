"""The messages of one socket: each is answered before the next one is handled.

A message that is answered at once, and a turn that only waits for its commit, need no task: it would cost more than the
turn.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from limina.errors import LiminaError
from limina.server.errors import RefusedError, code_of
from limina.server.matches import LoadedMatch, PendingTurn, visibility
from limina.server.matches.match import Played
from limina.server.web.rate_limits import too_many
from limina.server.web.socket_protocol import PreparedMessage
from limina.server.wire.encoding import complaint, error
from limina.server.wire.messages import CLIENT_MESSAGE, AskLegal, AskPreview, Hello, Ping, PlayTurn

if TYPE_CHECKING:
    from limina.server.web.services import Services
    from limina.server.web.viewers import Viewer

_MOST_REFUSED = 200
"""Whoever goes on sending after so many refusals is shown the door."""
_PONG = PreparedMessage(b'{"type":"pong"}')
_COSTS: dict[type, int] = {Ping: 1, PlayTurn: 1, AskLegal: 2, AskPreview: 3, Hello: 4}
"""By the time that they take, a turn excepted: that is what the server is there for."""
_VALIDATE = CLIENT_MESSAGE.validator.validate_json
_LOG = logging.getLogger("limina.server")

Said = Hello | PlayTurn | AskPreview | AskLegal | Ping


class Reader:
    """Reads what a viewer says, and refuses what is too much."""

    def __init__(self, services: Services, viewer: Viewer) -> None:
        self._bucket = services.limits.bucket("message", viewer.client)
        self._refused = services.metrics.refused
        self._viewer = viewer

    def read(self, message: str | bytes, *, hello: bool = False) -> Said | None:
        """A message that can be read and is not too much; where it is not, they are told."""
        said: Said | None
        viewer = self._viewer
        try:
            said = _VALIDATE(message)
        except ValidationError as wrong:
            said = None
            unreadable = complaint(wrong.errors(include_url=False, include_input=False, include_context=False))
        wait = self._bucket.take(time.monotonic(), _COSTS.get(type(said), 1))
        if wait:
            too_much = too_many("that was too much at once", wait)
            if hello and isinstance(said, Hello):
                raise too_much  # they would wait for an answer that never comes
            viewer.refused += 1
            if viewer.refused > _MOST_REFUSED:
                viewer.close(1008, "too many messages")
            else:
                self.refuse(getattr(said, "key", None), too_much)
            return None
        if said is None:
            viewer.say({"type": "refused", "key": None, **error("unreadable", unreadable)})
        return said

    def refuse(self, key: str | None, caught: LiminaError) -> None:
        """Say why something was not done."""
        self._refused.labels(code_of(caught)).inc()
        self._viewer.refuse(key, caught)


class SerialExecutor:
    """Handles messages one after the other; a handler returns a future if the next message has to wait for it."""

    def __init__(self, handle: Callable[[str | bytes], asyncio.Future[Any] | None]) -> None:
        self._handle = handle
        self._waiting: deque[str | bytes] = deque()
        self._idle = asyncio.Event()
        self._idle.set()

    def submit(self, message: str | bytes) -> int:
        """Handle a message once everything before it is handled; return how many wait for that."""
        self._waiting.append(message)
        if self._idle.is_set():
            self._idle.clear()
            self._next()
        return len(self._waiting)

    def clear(self) -> None:
        """Drop the messages that wait."""
        self._waiting.clear()

    async def finish(self) -> None:
        """Wait until every message is handled."""
        await self._idle.wait()

    def _next(self, _: object = None) -> None:
        if not self._waiting:
            self._idle.set()
        elif (pending := self._handle(self._waiting.popleft())) is not None:
            pending.add_done_callback(self._next)
        else:  # other connections have their turn before the next message
            asyncio.get_running_loop().call_soon(self._next)


class Session:
    """A viewer at a match, from the first state on."""

    def __init__(self, services: Services, loaded: LoadedMatch, viewer: Viewer, reader: Reader) -> None:
        self._authority = services.authority
        self._states = services.states
        self._metrics = services.metrics
        self._loaded = loaded
        self._match = loaded.match
        self._viewer = viewer
        self._reader = reader
        self._executor = SerialExecutor(self._handle)
        self.receive = self._executor.submit
        self.finish = self._executor.finish

    def greet(self, hello: Hello, mine: tuple[int, ...]) -> None:
        """Say how the match stands, to whoever holds these seats."""
        match, viewer = self._match, self._viewer
        if not match.admits(mine):
            viewer.close(1012, "please come back")
            return
        if mine != viewer.mine:
            try:
                viewer.sit(match, mine)
            except RefusedError as caught:
                self._reader.refuse(None, caught)
                viewer.close(1013, "too many")
                return
        viewer.legal = hello.legal
        if hello.version == match.version:
            viewer.say({"type": "current", "version": match.version})
        else:
            viewer.send(PreparedMessage(self._states.message(match, mine, legal=hello.legal)))

    def _handle(self, message: str | bytes) -> asyncio.Future[Any] | None:
        """Handle a message; the future is done when it is answered."""
        key = None
        try:
            said = self._reader.read(message)
            key = getattr(said, "key", None)
            if isinstance(said, PlayTurn):
                return self._play(said)
            if isinstance(said, Hello):
                return asyncio.create_task(self._greet_again(said))
            if said is not None:
                self._tell(said)
        except Exception as error:
            self._fail(key, error)
        return None

    def _fail(self, key: str | None, error: BaseException) -> None:
        """Say why something was not done; end the socket after an error of ours."""
        if isinstance(error, LiminaError):
            self._reader.refuse(key, error)
        else:
            _LOG.error("a socket failed", exc_info=error)
            self._executor.clear()
            self._viewer.close(1000, "")

    def _tell(self, asked: AskPreview | AskLegal | Ping) -> None:
        match, viewer = self._match, self._viewer
        if isinstance(asked, Ping):
            viewer.send(_PONG)
        elif isinstance(asked, AskPreview):
            found = visibility.preview(match, viewer.mine, asked.seat, asked.turn)
            viewer.say({"type": "preview", "key": asked.key, "version": match.version, "preview": found})
        else:
            visibility.check_mine(viewer.mine, asked.seat)
            turns = self._states.legal(match, asked.seat)
            answer = {"type": "legal", "key": asked.key, "version": match.version, "seat": asked.seat}
            viewer.say({**answer, "legal": turns})

    async def _greet_again(self, hello: Hello) -> None:
        try:
            await self._authority.refresh(self._loaded)  # a key may be younger than what this process knows
            self.greet(hello, self._match.seats_of(hello.keys))
        except Exception as error:
            self._fail(None, error)

    def _play(self, asked: PlayTurn) -> PendingTurn:
        begun = time.monotonic()
        turn = self._authority.submit_turn(
            self._loaded, self._viewer.mine, asked.seat, asked.number, asked.turn, asked.key
        )
        turn.add_done_callback(partial(self._acknowledge, asked.key, begun))
        return turn

    def _acknowledge(self, key: str, begun: float, turn: asyncio.Future[Played]) -> None:
        error = turn.exception()
        if error is not None:
            self._fail(key, error)
        else:
            self._viewer.say({"type": "played", **visibility.played(key, turn.result())})
            self._metrics.turn(time.monotonic() - begun)
