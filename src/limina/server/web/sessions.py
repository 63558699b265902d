"""Whoever is at a match over a socket: what they say, one thing after the other, and how it is answered.

A turn is handled where it arrives and answered where it is saved, without a task that waits for either: the task would
cost more than the turn. Only what has to wait for something else first gets one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from limina.errors import LiminaError
from limina.server.errors import RefusedError, code_of
from limina.server.jobs import CURRENT_CLIENT
from limina.server.matches import Match, visibility
from limina.server.web.rate_limits import too_many
from limina.server.web.socket_protocol import PreparedMessage
from limina.server.wire.encoding import error, validation_message
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
            unreadable = validation_message(wrong.errors(include_url=False, include_input=False, include_context=False))
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


class Session:
    """A viewer at a match, from the first state on."""

    def __init__(self, services: Services, match: Match, viewer: Viewer, reader: Reader) -> None:
        self._authority = services.authority
        self._states = services.states
        self._metrics = services.metrics
        self._match = match
        self._viewer = viewer
        self._reader = reader
        self._waiting: deque[str | bytes] = deque()
        self._busy = False
        """Whether something is not answered yet, and what else is said has to wait."""
        self._task: asyncio.Task[None] | None = None
        self._idle: asyncio.Future[None] | None = None

    def receive(self, message: str | bytes) -> int:
        """Answer a message once everything before it is answered; how many have to wait for that."""
        if self._busy:
            self._waiting.append(message)
        else:
            self._answer(message)
            if not self._busy:  # it is answered; others have their turn before what came with it
                self._busy = True
                asyncio.get_running_loop().call_soon(self._done)
        return len(self._waiting)

    async def finish(self) -> None:
        """Wait until all that was said is answered."""
        while self._busy:
            self._idle = asyncio.get_running_loop().create_future()
            await self._idle

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

    # --- one message after the other

    def _answer(self, message: str | bytes) -> None:
        CURRENT_CLIENT.set(self._viewer.client)
        key = None
        try:
            said = self._reader.read(message)
            if isinstance(said, PlayTurn):
                key = said.key
                self._play(said)
            elif isinstance(said, Hello):
                self._later(self._greet_again(said))
            elif said is not None:
                key = getattr(said, "key", None)
                self._tell(said)
        except LiminaError as caught:
            self._busy = False
            self._reader.refuse(key, caught)
        except Exception as caught:
            self._busy = False
            self._fail(caught)

    def _later(self, answer: Coroutine[Any, Any, None]) -> None:
        """Answer something that has to wait for something else; whatever is said meanwhile waits."""
        self._busy = True
        self._task = asyncio.create_task(answer)

    def _done(self) -> None:
        """The next one, if one waits; others have their turn before."""
        self._busy = bool(self._waiting)
        if self._busy:
            asyncio.get_running_loop().call_soon(self._next)
        elif self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def _next(self) -> None:
        self._busy = False
        self._answer(self._waiting.popleft())
        if not self._busy:
            self._done()

    def _fail(self, caught: Exception) -> None:
        _LOG.error("a socket failed", exc_info=caught)
        self._waiting.clear()
        self._viewer.close(1000, "")

    # --- what they ask for

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
            await self._authority.refresh(self._match)  # a key may be younger than what this process knows
            self.greet(hello, self._match.seats_of(hello.keys))
        except LiminaError as caught:
            self._reader.refuse(None, caught)
        except Exception as caught:
            self._fail(caught)
        finally:
            self._done()

    def _play(self, said: PlayTurn) -> None:
        begun = time.monotonic()
        turn = said.seat, said.number, said.turn, said.key
        self._busy = True
        if not self._authority.play_soon(self._match, self._viewer.mine, *turn, partial(self._saved, said, begun)):
            self._later(self._play_after_all(said, begun))

    def _saved(self, said: PlayTurn, begun: float, saved: bool) -> None:
        if not saved:
            self._later(self._play_after_all(said, begun))
            return
        try:
            self._say_played(said, begun)
        except Exception as caught:
            self._fail(caught)
        finally:
            self._done()

    async def _play_after_all(self, said: PlayTurn, begun: float) -> None:
        CURRENT_CLIENT.set(self._viewer.client)
        turn = said.seat, said.number, said.turn, said.key
        try:
            await self._authority.play(self._match, self._viewer.mine, *turn)
            self._say_played(said, begun)
        except LiminaError as caught:
            self._reader.refuse(said.key, caught)
        except Exception as caught:
            self._fail(caught)
        finally:
            self._done()

    def _say_played(self, said: PlayTurn, begun: float) -> None:
        played = self._match.played[said.key]
        self._viewer.say({"type": "played", **visibility.played(said.key, played)})
        self._metrics.turn(time.monotonic() - begun)
