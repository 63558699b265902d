"""Bots in their seats: they think beside the event loop, see what their seat may see, and use the same door."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Executor

from limina.bot import random_bot
from limina.bots import Bot, bot
from limina.protocols import LiminaError, Position
from limina.server.play.match import Match, Played
from limina.server.play.sight import seen

_LOG = logging.getLogger("limina.server")

Door = Callable[[Match, int, int, str, str | None], Played]
"""Takes a turn: match, seat, number, the turn in the notation, no key."""


class Thinking:
    """Lets bots play whenever it is their turn."""

    def __init__(self, pool: Executor, door: Door) -> None:
        self._pool = pool
        self._door = door
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self, match: Match) -> None:
        """Let every bot think that is to move and does not think already."""
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
        number = match.shown.turns[seat]
        try:
            position, _ = seen(match, (seat,))
            level = match.seats[seat].bot or ""
            if seat not in match.bots:
                match.bots[seat] = bot(match.game, level, seed=secrets.randbits(32))
            turn = await asyncio.get_running_loop().run_in_executor(
                self._pool, _choose, match.bots[seat], position, seat
            )
            played = self._door(match, seat, number, str(turn), None)
            if played.saved is not None:
                await played.saved
        except LiminaError as error:
            # It could not be saved. The next look at the match begins again. What was played stays out of the log.
            _LOG.error("a bot could not play: %s", type(error).__name__)
        finally:
            match.thinking.discard(seat)
        if not match.broken and seat in match.to_move and match.shown.turns[seat] != number:
            self.wake(match)


def _choose(player: Bot, position: Position, seat: int) -> object:
    try:
        turn = player.choose(position, seat)
        if turn in position.legal_turns(seat):
            return turn
        _LOG.error("a bot named an illegal turn: any legal one is played instead")
    except Exception as error:  # whatever a bot does wrong, the game goes on
        _LOG.error("a bot failed with %s: any legal turn is played instead", type(error).__name__)
    return random_bot(seed=secrets.randbits(32)).choose(position, seat)
