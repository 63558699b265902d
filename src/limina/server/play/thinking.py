"""Bots in their seats: they think beside the event loop, see what their seat may see, and use the same door."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor

from limina.bots import BotFailure, ask, bot, bot_names
from limina.errors import LiminaError
from limina.record import Record
from limina.server.play.guests import Guests
from limina.server.play.match import Match, Played
from limina.server.play.sight import seen

_LOG = logging.getLogger("limina.server")

Door = Callable[[Match, int, int, str, str | None], Played]
"""Takes a turn: match, seat, number, the turn in the notation, no key."""
Verdict = Callable[[Match, int, BotFailure], Awaitable[bool]]
"""Puts one of ours in the place of a bot that failed; whether that could be saved."""


class Thinking:
    """Lets bots play whenever it is their turn."""

    def __init__(self, pool: Executor, guests: Guests, door: Door, verdict: Verdict) -> None:
        self._pool = pool
        self._guests = guests
        self._door = door
        self._verdict = verdict
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self, match: Match) -> None:
        """Let every bot think that is to move and does not think already."""
        if match.over:
            self._guests.leave(match)
        for seat in match.to_move:
            if match.seats[seat].kind == "bot" and seat not in match.thinking and not match.broken:
                match.thinking.add(seat)
                task = asyncio.create_task(self._play(match, seat))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Think no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _play(self, match: Match, seat: int) -> None:
        number, replaced = match.shown.turns[seat], False
        try:
            turn = await self._chosen(match, seat)
            played = self._door(match, seat, number, turn, None)
            if played.saved is not None:
                await played.saved
        except BotFailure as failure:
            # For the host: to the players it is told in fewer words.
            _LOG.warning("the bot %s failed: %s", match.seats[seat].bot, failure)
            replaced = await self._verdict(match, seat, failure)
        except LiminaError as error:
            # It could not be saved. The next look at the match begins again. What was played stays out of the log.
            _LOG.error("a bot could not play: %s", type(error).__name__)
        finally:
            match.thinking.discard(seat)
        if not match.broken and seat in match.to_move and (replaced or match.shown.turns[seat] != number):
            self.wake(match)

    async def _chosen(self, match: Match, seat: int) -> str:
        level = match.seats[seat].bot or ""
        if level not in bot_names(match.game):
            return await self._guests.choose(match, seat)
        if seat not in match.bots:
            match.bots[seat] = bot(match.game, level, seed=secrets.randbits(32))
        position, steps = seen(match, (seat,))
        names = tuple(other.name or "?" for other in match.seats)
        record = Record(match.game, names, match.start, tuple(steps), position)
        chosen = asyncio.get_running_loop().run_in_executor(self._pool, ask, match.bots[seat], record, seat)
        return str((await chosen).turn)
